import { SandboxProvider } from "@parley/channel-sandbox"
import { describe, expect, it } from "vitest"
import type { ChannelProvider } from "../../../src/ports/ChannelProvider.js"
import { channelProviders } from "../../../src/resources/channels/channelProviders.js"

const provider = (kind: string, channels: ChannelProvider["channels"]): ChannelProvider => ({
  ...SandboxProvider,
  kind,
  channels
})
const sms = { name: "sms", identity: "phone" } as const

describe("the providers of a host", () => {
  it("declare its channels, in their order and once", () => {
    const both = [
      provider("one", [sms, { name: "fax", identity: null }]),
      provider("two", [{ ...sms, subjects: false }])
    ]
    const { byKind, channels } = channelProviders(both)
    expect(channels.map(({ name }) => name)).toEqual(["sms", "fax"])
    expect([...byKind.keys()]).toEqual(["one", "two"])
  })
  it.each<[string, ReadonlyArray<ChannelProvider>, RegExp]>([
    [
      "of one kind",
      [provider("one", [sms]), provider("one", [])],
      /^Two channel providers have the kind one\. Remove one\.$/
    ],
    [
      "that differ about a channel",
      [provider("one", [sms]), provider("two", [{ ...sms, identity: null }])],
      /two declares the channel sms differently/
    ],
    ["with a malformed name", [provider("one", [{ ...sms, name: "SMS!" }])], /declares the channel SMS!\. A name is/],
    [
      "with the name of another identity",
      [provider("one", [{ ...sms, name: "telegram" }])],
      /telegram is the name of an identity/
    ],
    ["with a reserved name", [provider("one", [{ ...sms, name: "preferred" }])], /preferred is reserved/]
  ])("are refused %s", (_, providers, message) => {
    expect(() => channelProviders(providers)).toThrow(message)
  })
  it("are refused with parts that are missing or of another type, all named", () => {
    const written = {
      ...provider("pager", []),
      send: undefined,
      poll: {},
      dedupes: "yes",
      credentials: {},
      sendTimeout: Number.NaN,
      webhook: { verify: () => true }
    }
    expect(() => channelProviders([written as unknown as ChannelProvider])).toThrow(
      "The provider pager is incomplete: send must be a function; poll must be a function, or absent; channels must list at least one channel; credentials must be a Schema; dedupes must be true or false; sendTimeout must be a positive number of ms, or absent; webhook must have the functions verify and parse, or be absent."
    )
  })
})
