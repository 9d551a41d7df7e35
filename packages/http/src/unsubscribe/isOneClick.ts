/**
 * Whether a form has `List-Unsubscribe=One-Click` (RFC 8058, 3.2). Mail programs post it as `multipart/form-data` or as
 * `application/x-www-form-urlencoded`; the form is read by its content, which the two do not share.
 */
export const isOneClick = (body: Uint8Array): boolean => {
  const text = Buffer.from(body).toString("latin1")
  const part = /;\s*name="?List-Unsubscribe"?[^\n]*\n(?:[^\r\n]+\r?\n)*\r?\nOne-Click\s*(?:\r?\n--|$)/i
  return new URLSearchParams(text.trim()).get("List-Unsubscribe")?.toLowerCase() === "one-click" || part.test(text)
}
