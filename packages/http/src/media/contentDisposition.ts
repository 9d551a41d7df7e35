/** What a browser may show by itself: pictures, sound and film. SVG and HTML can hold scripts, and are not among them. */
const isShown = (contentType: string): boolean =>
  /^(audio|video)\/[a-z0-9.+-]+$/.test(contentType) || /^image\/(png|jpeg|gif|webp|avif|heic|bmp)$/.test(contentType)

/**
 * The header that says whether a file is shown or saved, and as what (RFC 6266): the name in ASCII for old clients, with
 * anything else as `_`, and the whole of it where that is not all.
 */
export const contentDisposition = (contentType: string, fileName: string | null): string => {
  const kind = isShown(contentType) ? "inline" : "attachment"
  if (fileName === null) return kind
  const ascii = fileName.replace(/[^\x20-\x7e]|["\\%]/g, "_")
  const whole = ascii === fileName ? "" : `; filename*=UTF-8''${encoded(fileName)}`
  return `${kind}; filename="${ascii}"${whole}`
}

/** As RFC 8187 wants it: `encodeURIComponent` leaves some that mean something there. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
