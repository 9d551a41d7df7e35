import type { ReportedEcho } from "@parley/testkit"

/** What the business does in the Page's inbox, with the fields of Meta's echo. */
type Echo = ReportedEcho & { readonly message: { readonly [field: string]: unknown } }

/** A deletion has the id of the deleted message. */
const midOf = (number: number): string => `m_echo-${number}`

const template = (payload: object) => ({ attachments: [{ type: "template", title: "", url: null, payload }] })

const all: ReadonlyArray<Echo> = [
  {
    what: "a text of the inbox",
    type: "text",
    body: "We are open",
    message: { text: "We are open", app_id: 263902037430900 }
  },
  {
    what: "an image of the inbox",
    type: "media",
    body: "",
    files: ["image"],
    message: { attachments: [{ type: "image", payload: { url: "https://scontent.fbcdn.net/a.jpg" } }] }
  },
  {
    what: "a template with buttons",
    type: "text",
    body: "Which bread?",
    message: template({ template_type: "button", text: "Which bread?", buttons: [{ type: "postback", title: "Rye" }] })
  },
  {
    what: "a template with elements",
    type: "text",
    body: "Rye bread\n4.50 EUR\nWheat bread",
    message: template({
      template_type: "generic",
      elements: [{ title: "Rye bread", subtitle: "4.50 EUR" }, { title: "Wheat bread" }]
    })
  },
  {
    what: "a template without texts",
    type: "unsupported",
    body: "Unsupported content: template",
    content: { type: "unsupported", kind: "template" },
    message: template({ template_type: "media", elements: [{ media_type: "image", attachment_id: 2457235337685388 }] })
  },
  {
    what: "a deletion in the inbox",
    type: "deletion",
    body: "Message deleted",
    content: { type: "deletion" },
    quoted: midOf,
    message: { text: "We are open", is_deleted: true }
  }
]

export const echoes: ReadonlyArray<ReportedEcho> = all.map(({ message, ...echo }) => echo)

export const news: ReadonlyArray<string> = ["a warning of the policy", "a block of the policy"]

/** Meta's item for an echo or for news; null for an action of a customer. */
export const itemElsewhere = (
  what: string,
  {
    account,
    at,
    customer,
    number
  }: { readonly account: string; readonly at: number; readonly customer: string; readonly number: number }
): object | null => {
  const [, action] = /^a (\w+) of the policy$/.exec(what) ?? []
  if (action !== undefined) {
    return { recipient: { id: account }, timestamp: at, policy_enforcement: { action, reason: "Spam." } }
  }
  const echo = all.find((one) => one.what === what)
  return echo === undefined
    ? null
    : {
        sender: { id: account },
        recipient: { id: customer },
        timestamp: at,
        message: { mid: midOf(number), is_echo: true, ...echo.message }
      }
}
