type Attributes = { readonly [name: string]: string }

/** An element with attributes and children. Text is never parsed as HTML. */
export const element = <K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: ReadonlyArray<Node | string>
): HTMLElementTagNameMap[K] => {
  const made = document.createElement(name)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  made.append(...children)
  return made
}

/** A button with a click handler. */
export const button = (attributes: Attributes, text: string | Node, pressed: () => void): HTMLButtonElement => {
  const made = element("button", { type: "button", ...attributes }, text)
  made.addEventListener("click", pressed)
  return made
}

/** An icon of 24 by 24 units, hidden from screen readers. */
export const icon = (path: string): SVGElement => {
  const namespace = "http://www.w3.org/2000/svg"
  const svg = document.createElementNS(namespace, "svg")
  const shape = document.createElementNS(namespace, "path")
  svg.setAttribute("viewBox", "0 0 24 24")
  svg.setAttribute("aria-hidden", "true")
  shape.setAttribute("d", path)
  svg.append(shape)
  return svg
}
