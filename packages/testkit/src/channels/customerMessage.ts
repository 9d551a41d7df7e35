import type { ChannelFixture } from "./ChannelFixture.js"
import { now } from "./opened.js"
import { VendorEvent } from "./VendorEvent.js"

/** A message of the customer who has the first good handle, a minute ago. */
export const customerMessage = (
  { handles }: Pick<ChannelFixture<never>, "handles">,
  number: number,
  text = `Message ${number}`
): Extract<VendorEvent, { readonly _tag: "Message" }> =>
  VendorEvent.Message({ number, from: handles.good[0].vendor, text, name: "Ada Lovelace", at: now - 60_000 })
