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
  used = "used",
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

-- A formula is read aloud as it is written in TeX. Typst calls ⊙ otherwise than pandoc believes.
function Math(math)
  local written = pandoc.write(pandoc.Pandoc({ pandoc.Plain({ math }) }), "typst"):gsub("%s+$", ""):gsub("dot%.circle", "dot.o")
  local block = tostring(math.mathtype == "DisplayMath")
  return pandoc.RawInline(
    "typst", "#math.equation(block: " .. block .. ", alt: " .. quoted(math.text) .. ", " .. written .. ".body);"
  )
end

function Image(image)
  local alt = pandoc.utils.stringify(image.caption)
  return pandoc.RawInline("typst", "#drawing(" .. quoted(image.src) .. ", " .. quoted(alt) .. ")")
end
