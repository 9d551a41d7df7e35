import { aContact, channelsNamed } from "@parley/testkit/rows"
import { describe, expect, it } from "vitest"
import { channelAddresses } from "../../../src/resources/contacts/channelAddresses.js"

const number = "+491701234567"
const channels = [...channelsNamed("whatsapp", "email", "webchat"), { name: "sms", identity: "phone" } as const]
const identity = (channel: "email" | "phone" | "telegram" | "whatsapp", handle: string) => ({
  channel,
  handle,
  displayName: null
})
const addressesOf = (fields: Parameters<typeof aContact>[0]) =>
  channelAddresses(aContact({ email: null, phone: null, identities: [], ...fields }), channels).map(
    ({ channel, handle }) => `${channel} ${handle}`
  )

describe("the channels that reach a contact", () => {
  it("are those of its identities, in their order, and of its email and phone", () => {
    expect(addressesOf({ identities: [identity("email", "a@example.org"), identity("telegram", "7")] })).toEqual([
      "email a@example.org"
    ])
    expect(addressesOf({ email: "b@example.org", phone: number })).toEqual([
      "email b@example.org",
      `sms ${number}`,
      `whatsapp ${number}`
    ])
  })
  it("are all channels of numbers for a number, first its own", () => {
    expect(addressesOf({ identities: [identity("phone", number)] })).toEqual([`sms ${number}`, `whatsapp ${number}`])
    expect(addressesOf({ identities: [identity("whatsapp", number)] })).toEqual([`whatsapp ${number}`, `sms ${number}`])
  })
  it("are WhatsApp only for one of its user ids", () => {
    expect(addressesOf({ identities: [identity("whatsapp", "US.13491208655302741918")] })).toEqual([
      "whatsapp US.13491208655302741918"
    ])
  })
})
