"""What others show of a page: its card, and its data for crawlers."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from urllib.parse import urljoin

from verbatim.lists.places import Sources, chapter
from verbatim.lists.places import title as title_of
from verbatim.pages.page import Page
from verbatim.site.page_context import PageContext
from verbatim.site.sharing import cards, json_ld


@dataclass(frozen=True)
class LinkPreview:
    """What others show of a page beside a link to it."""

    title: str
    """Its title; of a home page, the site's description."""
    summary: str
    url: str
    """Its absolute address."""


def share(
    page_context: PageContext,
    page: Page,
    shown: LinkPreview,
    sources: Sources,
    *,
    site_name: str,
    site_url: str,
) -> tuple[PageContext, cards.Card]:
    """Return what templates are told of a page, with its card and its data; and the card.

    Args:
        page_context: What they are told without that.
        page: The page, as written.
        shown: The page, as others show it.
        sources: The book and its pages.
        site_name: The site's name.
        site_url: The site's address.
    """
    index = sources.page(f"docs/{page.language}/{chapter(page)}/index.md")
    within = str(index.meta.get("chapter") or title_of(index)) if index and not page_context.home else ""
    printed = [o for p in sources.places_on(page) if not p.cell.varies for o in sources.outputs(p)]
    about = " · ".join(filter(None, [within, page_context.built and f"PyTorch {page_context.built}"]))
    card = cards.Card(shown.title, site_name, about, *cards.quote(printed))
    image = urljoin(site_url, card.path)
    if page_context.home:
        data = json_ld.website(site_name, shown.summary, language=page.language, url=shown.url)
        return dataclasses.replace(page_context, card=image, linked_data=data), card
    trail = [(site_name, urljoin(site_url, sources.languages.folder(page.language)))]
    if index and index is not page:
        trail.append((within, urljoin(site_url, sources.languages.address(page.language, index.name))))
    data = json_ld.article(
        shown.title,
        shown.summary,
        language=page.language,
        site_name=site_name,
        trail=[*trail, (shown.title, shown.url)],
        image=image,
        changed=page_context.changed,
    )
    return dataclasses.replace(page_context, card=image, linked_data=data), card
