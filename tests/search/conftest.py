"""The browser and the server of the tests that open pages."""

from tests.browser.conftest import browser, built_once, fonts, serve

__all__ = ["browser", "built_once", "fonts", "serve"]
