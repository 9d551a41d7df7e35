import type { ReportedEcho } from "@parley/testkit"

/** A message of the WhatsApp Business app, with the fields of Meta's echo. */
type Echo = ReportedEcho & { readonly message: { readonly [field: string]: unknown } }

const all: ReadonlyArray<Echo> = [
  {
    what: "a text of the app",
    type: "text",
    body: "We are open",
    message: { type: "text", text: { body: "We are open" } }
  },
  {
    what: "a forwarded text of the app",
    type: "text",
    body: "News",
    forwarded: true,
    message: { type: "text", text: { body: "News" }, context: { forwarded: true } }
  },
  {
    what: "an image of the app",
    type: "media",
    body: "Today",
    files: ["image"],
    message: { type: "image", image: { id: "1234", mime_type: "image/jpeg", sha256: "x", caption: "Today" } }
  },
  {
    what: "a location of the app",
    type: "location",
    body: "Bakery\n52.52, 13.405",
    content: { type: "location", latitude: 52.52, longitude: 13.405, name: "Bakery", address: null, url: null },
    message: { type: "location", location: { latitude: 52.52, longitude: 13.405, name: "Bakery" } }
  },
  {
    what: "an edit in the app",
    type: "edit",
    body: "We are closed",
    content: { type: "edit" },
    quoted: "wamid.edited",
    message: {
      type: "edit",
      edit: { original_message_id: "wamid.edited", message: { type: "text", text: { body: "We are closed" } } }
    }
  },
  {
    what: "a deletion in the app",
    type: "deletion",
    body: "Message deleted",
    content: { type: "deletion" },
    quoted: "wamid.deleted",
    message: { type: "revoke", revoke: { original_message_id: "wamid.deleted" } }
  }
]

export const echoes: ReadonlyArray<ReportedEcho> = all.map(({ message, ...echo }) => echo)

/** Values of changes that are news, by the change's field. */
const newsOf: { readonly [field: string]: { readonly [field: string]: unknown } } = {
  account_update: { event: "ACCOUNT_VIOLATION", violation_info: { violation_type: "SPAM" } },
  account_review_update: { decision: "APPROVED" },
  phone_number_quality_update: { display_phone_number: "16505551111", event: "DOWNGRADE", current_limit: "TIER_1K" },
  message_template_quality_update: {
    previous_quality_score: "GREEN",
    new_quality_score: "YELLOW",
    message_template_id: 12,
    message_template_name: "welcome",
    message_template_language: "en_US"
  }
}

export const news: ReadonlyArray<string> = Object.keys(newsOf)

/** The field and the value of Meta's change for an echo or for news; null for an action of a customer. */
export const changeElsewhere = (
  what: string,
  number: number,
  to: string
): { readonly field: string; readonly value: { readonly [field: string]: unknown } } | null => {
  const value = newsOf[what]
  if (value !== undefined) return { field: what, value }
  const echo = all.find((one) => one.what === what)
  return echo === undefined
    ? null
    : {
        field: "smb_message_echoes",
        value: { message_echoes: [{ to, id: `wamid.echo-${number}`, timestamp: "1790000000", ...echo.message }] }
      }
}
