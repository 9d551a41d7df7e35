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

describe("a customer is reached on a channel of numbers", () => {
  const whatsapp = [{ name: "whatsapp", identity: "whatsapp" }] as const
  const reached = (...identities: ReadonlyArray<readonly ["phone" | "whatsapp", string]>) =>
    recipientOf(
      aContact({
        email: null,
        phone: "+491701",
        identities: identities.map(([channel, handle]) => ({ channel, handle, displayName: null }))
      }),
      "whatsapp",
      { application: anApplication(), channels: whatsapp, connectionId: null, connections: [], conversations: [] }
    )?.to

  it("by the first number of the channel, else by the first number", () => {
    expect(reached(["phone", "+491701"], ["whatsapp", "+491702"], ["whatsapp", "+491701"])).toBe("+491702")
    expect(reached(["phone", "+491701"])).toBe("+491701")
  })
  it("by a number before an id, unless the id is the first identity", () => {
    expect(reached(["phone", "+491701"], ["whatsapp", "US.1349"])).toBe("+491701")
    expect(reached(["whatsapp", "US.1349"], ["phone", "+491701"])).toBe("US.1349")
  })
})
