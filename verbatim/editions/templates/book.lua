-- What HTML says by classes becomes calls of the functions that book.typ defines.

local function quoted(text)
  return '"' .. text:gsub("\\", "\\\\"):gsub('"', '\\"') .. '"'
end

local names = {
  label = "label-of",
  heading = "heading-of",
  figure = "figure-of",
  caption = "caption",
  ran = "ran",
  printed = "printed",
  box = "box-of",
}

function Div(div)
  local name, kind = names[div.classes[1]], div.classes[2]
  if not name then return div.content end
  local blocks = pandoc.List({ pandoc.RawBlock("typst", "#" .. name .. (kind and "(" .. quoted(kind) .. ")" or "") .. "[") })
  blocks:extend(div.content)
  blocks:insert(pandoc.RawBlock("typst", "]"))
  return blocks
end

function Image(image)
  local alt = pandoc.utils.stringify(image.caption)
  return pandoc.RawInline("typst", "#drawing(" .. quoted(image.src) .. ", " .. quoted(alt) .. ")")
end
