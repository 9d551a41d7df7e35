import type { ChannelFixture } from "./ChannelFixture.js"
import { now } from "./opened.js"
import { VendorEvent } from "./VendorEvent.js"

/** A message from the first valid handle, one minute ago. */
export const customerMessage = (
  { handles }: Pick<ChannelFixture<never>, "handles">,
  number: number,
  text = `Message ${number}`
): Extract<VendorEvent, { readonly _tag: "Message" }> =>
  VendorEvent.Message({ number, from: handles.good[0].vendor, text, name: "Ada Lovelace", at: now - 60_000 })
