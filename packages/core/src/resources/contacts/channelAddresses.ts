import type { Channel, Channels } from "../../model/Channel.js"
import type { Contact } from "../../model/Contact.js"
import { addressOf } from "./Handle.js"

/** A handle of a contact on a channel of the host. */
export interface ChannelAddress {
  readonly channel: Channel
  /** Normalised. */
  readonly handle: string
}

/**
 * The handles by which channels of the host reach a contact, in the order of its identities. A phone number is reached
 * by all channels of numbers, first by those whose identity is `phone`
 * (docs/reference/contacts.md#phone-and-whatsapp-numbers).
 */
export const channelAddresses = (
  { email, identities, phone }: Pick<Contact, "email" | "identities" | "phone">,
  channels: Channels
): ReadonlyArray<ChannelAddress> =>
  [
    ...identities,
    ...(email === null ? [] : [{ channel: "email" as const, handle: email }]),
    ...(phone === null ? [] : [{ channel: "phone" as const, handle: phone }])
  ].flatMap(({ channel: kind, handle }) => {
    const { space } = addressOf(kind, handle)
    const reaching = channels.filter(({ identity }) => identity !== null && addressOf(identity, handle).space === space)
    const own = reaching.filter(({ identity }) => identity === kind)
    const others = reaching.filter(({ identity }) => identity !== kind)
    return [...own, ...others].map(({ name }) => ({ channel: name, handle }))
  })
