import { element } from "./element.js"
import type { Locale } from "./Locale.js"

/** A file as it is shown. */
export interface ShownFile {
  readonly name: string | null
  readonly contentType: string
  /** In bytes. */
  readonly size: number
  /** Null while it is being sent. */
  readonly url: string | null
}

/** Images that cannot contain scripts. */
const raster = /^image\/(png|jpeg|gif|webp|avif|bmp)$/

/** An image, or a link to a file of another type. */
export const fileView = ({ name, contentType, size, url }: ShownFile, { labels, language }: Locale): HTMLElement => {
  const title = name ?? labels.file
  const text = `${title} (${sizeText(size, language)})`
  if (url === null) return element("span", { class: "file", dir: "auto" }, text)
  const link = element(
    "a",
    { class: "file", dir: "auto", href: url, target: "_blank", rel: "noopener noreferrer" },
    text
  )
  if (!raster.test(contentType)) return link
  const image = element("img", { alt: title })
  // The site may forbid images of this service, and the browser may not know the format.
  image.addEventListener("error", () => link.replaceChildren(text))
  image.src = url
  link.replaceChildren(image)
  return link
}

const sizeText = (bytes: number, language: string): string =>
  bytes < 1_000_000
    ? `${Math.ceil(bytes / 1_000)} kB`
    : `${(bytes / 1_000_000).toLocaleString(language, { maximumFractionDigits: 1 })} MB`
