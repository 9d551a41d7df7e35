/** What is used of it. */
declare module "libmime" {
  const libmime: {
    /** Decodes the encoded words of a text (RFC 2047). Throws if a charset cannot be decoded. */
    decodeWords(text: string): string
    /** The media type for the extension of a file name; `application/octet-stream` if it is not known. */
    detectMimeType(fileName: string): string
  }
  export default libmime
}
