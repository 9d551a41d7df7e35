import { type ChannelFixture, channelContract, lacks } from "@parley/testkit"
import { aConnection } from "@parley/testkit/rows"
import { Effect } from "effect"
import { webchat } from "../src/index.js"

const account = (letter: string) => {
  const credentials = { visitor_secret: `visitor-${letter}`.repeat(4), identity_secret: `identity-${letter}`.repeat(4) }
  return {
    connection: aConnection({
      id: `01900000-0000-7000-8000-0000000000${letter}1`,
      channel: "webchat",
      provider: "webchat",
      handle: `${letter}.example`,
      config: { allowed_origins: [`https://${letter}.example`] }
    }),
    credentials,
    secrets: Object.values(credentials)
  }
}

const noVendor = lacks("web chat has no vendor: messages wait in the feed")
const visitor = "visitor:01900000-0000-7000-8000-00000000000a"

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
    cutOff: noVendor
  },
  signals: lacks("web chat has no vendor; signals reach pages, which have their own tests"),
  webhook: lacks("web chat has no vendor webhook; requests of visitors have their own tests"),
  poll: noVendor,
  check: lacks("web chat has no vendor account")
}

channelContract(fixture)
