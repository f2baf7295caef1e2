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
  ["left-out"] = "left-out",
  small = "small-print",
  printed = "printed",
  box = "box-of",
}

local function Div(div)
  local name, kind = names[div.classes[1]], div.classes[2]
  if not name then return div.content end
  local blocks = pandoc.List({ pandoc.RawBlock("typst", "#" .. name .. (kind and "(" .. quoted(kind) .. ")" or "") .. "[") })
  blocks:extend(div.content)
  blocks:insert(pandoc.RawBlock("typst", "]"))
  return blocks
end

-- A formula is read aloud as it is written in TeX. Typst calls ⊙ otherwise than pandoc believes.
local function Math(math)
  local written = pandoc.write(pandoc.Pandoc({ pandoc.Plain({ math }) }), "typst"):gsub("%s+$", ""):gsub("dot%.circle", "dot.o")
  local block = tostring(math.mathtype == "DisplayMath")
  return pandoc.RawInline(
    "typst", "#math.equation(block: " .. block .. ", alt: " .. quoted(math.text) .. ", " .. written .. ".body);"
  )
end

local function Image(image)
  local alt = pandoc.utils.stringify(image.caption)
  return pandoc.RawInline("typst", "#drawing(" .. quoted(image.src) .. ", " .. quoted(alt) .. ")")
end

-- What leads to code stands on the page where that begins: a paragraph that ends with a colon or a question. Another one may end a
-- page, or half of that would stay empty.
local function Blocks(blocks)
  local found = pandoc.List()
  for i, block in ipairs(blocks) do
    local after = blocks[i + 1]
    local leads = block.t == "Para" and after and after.t == "CodeBlock"
    local text = leads and pandoc.utils.stringify(block) or ""
    if leads and (text:find("[:?]$") or text:find("：$") or text:find("？$")) then
      found:extend({ pandoc.RawBlock("typst", "#lead-in["), block, pandoc.RawBlock("typst", "]") })
    else
      found:insert(block)
    end
  end
  return found
end

-- Lists of links say on which page each of them leads, since on paper nobody can follow it; within a sentence the number would be
-- in the way.
local function numbered(list)
  return list:walk({
    Inlines = function(inlines)
      local found = pandoc.List()
      for i, inline in ipairs(inlines) do
        local after = inlines[i + 1] and pandoc.utils.stringify(inlines[i + 1])
        found:insert(inline)
        if inline.t == "Link" and inline.target:sub(1, 1) == "#" and (not after or after:find("^;") or after:find("^；")) then
          found:insert(pandoc.RawInline("typst", "#page-of(label(" .. quoted(inline.target:sub(2)) .. "));"))
        end
      end
      return found
    end,
  }), false
end

return {
  { Div = Div, Math = Math, Image = Image, Blocks = Blocks },
  { traverse = "topdown", BulletList = numbered, OrderedList = numbered },
}
