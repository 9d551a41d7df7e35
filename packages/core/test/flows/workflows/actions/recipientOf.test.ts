import { aConnection, aContact, aConversation, anApplication } from "@parley/testkit/rows"
import { describe, expect, it } from "vitest"
import { recipientOf } from "../../../../src/flows/workflows/actions/recipientOf.js"

const channels = [{ name: "webchat", identity: null }]
const [allowed, other] = ["01900000-0000-7000-8000-0000000000a1", "01900000-0000-7000-8000-0000000000a2"]
const connections = [allowed, other].map((id) =>
  aConnection({ id, channel: "webchat", status: "active", isTest: false })
)
const conversation = (connectionId: string) =>
  aConversation({ id: `01900000-0000-7000-8000-0000000000b${connectionId.at(-1)}`, connectionId, channel: "webchat" })
/** The one of the other connection is newer. */
const conversations = [conversation(other), conversation(allowed)]
const to = (connectionIds: ReadonlyArray<string>, connectionId: string | null = null) =>
  recipientOf(aContact({ email: null, phone: null, identities: [] }), "webchat", {
    application: anApplication({ mode: "live", connectionIds }),
    channels,
    connectionId,
    connections,
    conversations
  })?.to

describe("a customer without an address is reached", () => {
  it("in the newest conversation that the application may use", () => {
    expect(to([allowed])).toBe(conversation(allowed).id)
    expect(to([allowed, other])).toBe(conversation(other).id)
  })
  it("on the connection that the action names", () => {
    expect(to([allowed, other], allowed)).toBe(conversation(allowed).id)
  })
  it("in a conversation whose refusal the send gives, if it may use none", () => {
    expect(to([])).toBe(conversation(other).id)
  })
})
