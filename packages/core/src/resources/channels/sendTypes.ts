import type { Capabilities } from "../../model/Channel.js"
import type { SendType } from "../../model/MessageContent.js"

/** The types of `POST /messages` that a connection with these capabilities carries. */
export const sendTypes = ({ templates, types }: Capabilities): ReadonlyArray<SendType> =>
  types ?? (templates ? ["text", "template"] : ["text"])
