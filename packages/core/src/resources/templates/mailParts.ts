import type { Problems } from "../../errors/Refusal.js"
import { type Channels, channelOf } from "../../model/Channel.js"
import type { MailParts, StoredParts } from "../../model/Template.js"

/** Subject and HTML that a request gives; absent fields are not readable or not given. */
type Given = { readonly [K in keyof MailParts]?: MailParts[K] | undefined }

/**
 * Problems of a template's subject and HTML: only channels with subjects have them (docs/reference/templates.md#email).
 */
export const mailProblems = (channels: Channels, channel: string | undefined, { html, subject }: Given): Problems => {
  const problems: { [field: string]: ReadonlyArray<string> } = {}
  const isPossible = channel === undefined || channelOf(channels, channel).subjects === true
  if (subject != null && /[\r\n]/.test(subject)) problems.subject = ["must be one line"]
  if (isPossible) return problems
  if (subject != null) problems.subject = ["is not possible on this channel"]
  if (html != null) problems.html = ["is not possible on this channel"]
  return problems
}

/** The stored form of subject and HTML; null without them. */
export const mailParts = ({ html, subject }: MailParts): StoredParts | null =>
  html === null && subject === null
    ? null
    : { header: null, footer: null, buttons: [], named: false, mail: { html, subject } }
