/**
 * Types that a browser may display inline: images, audio and video. SVG and HTML are excluded because they can contain
 * scripts.
 */
const isShown = (contentType: string): boolean =>
  /^(audio|video)\/[a-z0-9.+-]+$/.test(contentType) || /^image\/(png|jpeg|gif|webp|avif|heic|bmp)$/.test(contentType)

/**
 * `Content-Disposition` (RFC 6266): inline or attachment, with an ASCII name for old clients (other characters become
 * `_`) and the full name if it differs.
 */
export const contentDisposition = (contentType: string, fileName: string | null): string => {
  const kind = isShown(contentType) ? "inline" : "attachment"
  if (fileName === null) return kind
  const ascii = fileName.replace(/[^\x20-\x7e]|["\\%]/g, "_")
  const whole = ascii === fileName ? "" : `; filename*=UTF-8''${encoded(fileName)}`
  return `${kind}; filename="${ascii}"${whole}`
}

/** Percent-encodes as RFC 8187 requires: `encodeURIComponent` leaves some reserved characters unencoded. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
