import type { AttachmentSettings } from "../EngineSettings.js"
import { type Instant, second } from "../Instant.js"
import type { SecretBox } from "../ports/SecretBox.js"

/** Where a file is to be had, and until when; null where we do not know how others reach us. */
export interface FileLink {
  readonly url: string | null
  readonly expiresAt: Instant | null
}

/** The link of an attachment, by its id. */
export type FileLinks = (attachmentId: string) => FileLink

/** What is written down and what is not for reading has none. */
export const unlinked: FileLinks = () => ({ url: null, expiresAt: null })

/**
 * Links that are good from now on for as long as the settings say, to the whole second: `{base}/media/{attachment}?expires=
 * <unix seconds>&signature=<of both>`. `base` is how others reach what we serve, without a slash at its end.
 */
export const fileLinks = (
  { sign }: Pick<SecretBox, "sign">,
  { urlLifetime }: Pick<AttachmentSettings, "urlLifetime">,
  base: string | null,
  now: Instant
): FileLinks => {
  if (base === null) return unlinked
  const expires = Math.ceil((now + urlLifetime) / second)
  return (id) => ({
    url: `${base}/media/${id}?expires=${expires}&signature=${sign(signedText(id, expires))}`,
    expiresAt: expires * second
  })
}

/** What a link's signature is of. Nothing else that is signed begins as it does. */
export const signedText = (attachmentId: string, expires: number): string => `media ${attachmentId} ${expires}`
