/** An attachment: a part of a mail that is not its text. */
export interface MailFile {
  /** Lower-case. */
  readonly contentType: string
  readonly fileName: string | null
  readonly bytes: Uint8Array
}
