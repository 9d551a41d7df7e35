import { type ChannelFixture, channelContract, lacks } from "@parley/testkit"
import { aConnection } from "@parley/testkit/rows"
import { Effect } from "effect"
import { SandboxProvider } from "../src/index.js"

const account = (number: number) => ({
  connection: aConnection({
    id: `01900000-0000-7000-8000-0000000000a${number}`,
    channel: "whatsapp",
    provider: "sandbox",
    handle: `+4930000000${number}`,
    config: { verdict_wait_ms: 0 }
  }),
  credentials: null,
  secrets: []
})

const location = { type: "location", latitude: 52.5, longitude: 13.4, name: null, address: null, url: null } as const

const noVendor = lacks("the sandbox has no vendor")

const fixture: ChannelFixture<void> = {
  name: "sandbox",
  vendor: Effect.void,
  provider: () => SandboxProvider,
  account: () => account(1),
  other: () => account(2),
  settings: { requiredConfig: [], requiredCredentials: [] },
  handles: {
    good: [{ written: "+49 151 1234567", normalised: "+491511234567", vendor: "+491511234567" }],
    bad: ["151", "somebody"]
  },
  maxTextLength: "characters",
  sends: {
    taken: noVendor,
    template: { template: { name: "welcome", language: "en", variables: ["Ada"] }, body: "Hello Ada" },
    contents: [
      { content: location, body: "52.5, 13.4" },
      { content: { type: "contacts", contacts: [] }, body: "Ada" },
      {
        content: { type: "choices", button: null, options: [{ id: "1", title: "Yes", description: null }] },
        body: "?"
      },
      { content: { type: "reaction", emoji: "👍" }, body: "👍" }
    ],
    files: ["image/png"],
    dedupes: true,
    errors: [
      {
        name: "a handle that is rejected",
        arrange: () => {},
        to: "+491511230001",
        outcome: { _tag: "Rejected", scope: "recipient", code: "provider_error", providerCode: "sandbox_rejected" }
      },
      {
        name: "a handle whose outcome stays unknown",
        arrange: () => {},
        to: "+491511230003",
        outcome: { _tag: "Unknown" }
      }
    ],
    throttles: {
      hinted: { arrange: () => {}, to: "+491511230002", scope: "recipient", retryAfterMs: 200 },
      unhinted: lacks("the sandbox always gives a wait")
    },
    unreachable: noVendor,
    cutOff: noVendor,
    garbled: noVendor
  },
  webhook: lacks("the sandbox has no webhook: inbound messages are simulated"),
  poll: noVendor,
  check: lacks("the sandbox has no settings")
}

channelContract(fixture)
