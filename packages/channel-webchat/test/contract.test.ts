import type { ProviderRequest } from "@parley/core"
import { type Account, type ChannelFixture, channelContract, lacks } from "@parley/testkit"
import { aConnection } from "@parley/testkit/rows"
import { Effect } from "effect"
import { webchat } from "../src/index.js"
import { signSession } from "../src/Session.js"
import { png } from "./visits.js"

const account = (letter: string) => {
  const credentials = { visitor_secret: `visitor-${letter}`.repeat(4), identity_secret: `identity-${letter}`.repeat(4) }
  return {
    connection: aConnection({
      id: `01900000-0000-7000-8000-0000000000${letter}1`,
      channel: "webchat",
      provider: "webchat",
      handle: `${letter}.example`,
      config: { allowed_origins: [`https://${letter}.example`], pre_chat: ["name", "email"] }
    }),
    credentials,
    secrets: Object.values(credentials)
  }
}

const noVendor = lacks("web chat has no vendor: messages wait in the feed")
const visitor = "visitor:01900000-0000-7000-8000-00000000000a"

/** The request of a visitor with a session, made on the connection's site. */
const visit = (
  { connection, credentials }: Account,
  handle: string,
  request: Partial<ProviderRequest> & Pick<ProviderRequest, "path" | "body">
): ProviderRequest => {
  const session = { handle, name: null, expires: Number.MAX_SAFE_INTEGER }
  const token = signSession(String(credentials?.visitor_secret), connection.id, session)
  const origin = `https://${connection.handle}`
  return { method: "POST", query: {}, ...request, headers: { authorization: `Bearer ${token}`, origin } }
}

const json = (value: object) => Buffer.from(JSON.stringify(value))
const answers = { name: "Ada", email: "ada@example.com" }

const posted = (account: Account, handle: string, message: object): ProviderRequest =>
  visit(account, handle, { path: "/messages", body: json(message) })

const fixture: ChannelFixture<void> = {
  name: "webchat",
  vendor: Effect.void,
  provider: () => webchat(),
  account: () => account("a"),
  other: () => account("b"),
  settings: { requiredConfig: [], requiredCredentials: [] },
  handles: {
    good: [
      { written: visitor.toUpperCase().replace("VISITOR", "visitor"), normalised: visitor, vendor: visitor },
      { written: " customer:A 42 ", normalised: "customer:A 42", vendor: "customer:A 42" }
    ],
    bad: ["visitor:1", "customer:", "+491511234567", "somebody"]
  },
  maxTextLength: "characters",
  sends: {
    taken: noVendor,
    template: lacks("web chat has no templates"),
    contents: [
      {
        content: { type: "choices", button: null, options: [{ id: "a", title: "A", description: "The first" }] },
        body: "Which?"
      }
    ],
    files: ["image/png", "video/mp4", "audio/mpeg", "application/pdf"],
    dedupes: true,
    errors: noVendor,
    throttles: { hinted: noVendor, unhinted: noVendor },
    unreachable: noVendor,
    cutOff: noVendor,
    garbled: noVendor
  },
  signals: lacks("web chat has no vendor; signals reach pages, which have their own tests"),
  webhook: lacks("web chat has no vendor webhook"),
  ownServer: {
    request: (account, event) => {
      const { from, number } = event
      if (event._tag === "Message") return posted(account, from, { id: `m-${number}`, body: event.text })
      return event.what === "a picture"
        ? visit(account, from, { path: "/files", query: { id: `f-${number}`, name: "fox.png" }, body: png })
        : visit(account, from, { path: "/form", body: json({ id: `a-${number}`, form: answers }) })
    },
    actions: [
      { what: "a picture", type: "media", body: "", files: ["image"] },
      {
        what: "the form before the chat",
        type: "form",
        body: "Ada\nada@example.com",
        content: { type: "form", name: null, answers }
      }
    ],
    answers: (account, { from, number, quoted, text }) =>
      posted(account, from, { id: `q-${number}`, body: text, quoted }),
    presses: (account, { from, number, option, question }) =>
      posted(account, from, {
        id: `p-${number}`,
        body: option.title,
        choice: { message_id: question, option_id: option.id }
      })
  },
  poll: noVendor,
  check: lacks("web chat has no vendor account")
}

channelContract(fixture)
