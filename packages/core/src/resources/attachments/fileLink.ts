import type { AttachmentSettings } from "../../kernel/EngineSettings.js"
import { day, type Instant, second } from "../../model/Instant.js"
import type { SecretBox } from "../../ports/SecretBox.js"

/** URL of a file and when it expires; both null if the public URL of this service is unknown. */
export interface FileLink {
  readonly url: string | null
  readonly expiresAt: Instant | null
}

/** Returns the link of an attachment by its id. */
export type FileLinks = (attachmentId: string) => FileLink

/** No links: for stored events and stored responses. */
export const unlinked: FileLinks = () => ({ url: null, expiresAt: null })

/**
 * Creates links that are valid from now for the configured lifetime:
 * `{base}/media/{attachment}?expires=<unix seconds>&signature=<of both>`. `base` is the public URL of this service,
 * without a trailing slash.
 */
export const fileLinks = (
  { sign }: Pick<SecretBox, "sign">,
  { urlLifetime }: Pick<AttachmentSettings, "urlLifetime">,
  base: string | null,
  now: Instant
): FileLinks => {
  if (base === null) return unlinked
  return (id) => {
    const { path, expiresAt } = signedPath({ sign }, id, now + urlLifetime)
    return { url: base + path, expiresAt }
  }
}

/**
 * The signed path of an agent's avatar: the same all day, so that browsers fetch it once, and valid for a day or more.
 */
export const avatarPath = (secretBox: Pick<SecretBox, "sign">, agentId: string, now: Instant): string =>
  signedPath(secretBox, agentId, (Math.floor(now / day) + 2) * day).path

/** The path of a file below the URL of this service, and when its signature expires: rounded up to a whole second. */
export const signedPath = (
  { sign }: Pick<SecretBox, "sign">,
  id: string,
  until: Instant
): { readonly path: string; readonly expiresAt: Instant } => {
  const expires = Math.ceil(until / second)
  const path = `/media/${id}?expires=${expires}&signature=${sign(signedText(id, expires))}`
  return { path, expiresAt: expires * second }
}

/** The text that a link's signature covers. No other signed text has this prefix. */
export const signedText = (attachmentId: string, expires: number): string => `media ${attachmentId} ${expires}`
