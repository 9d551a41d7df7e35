import type { Capabilities, FileLimits } from "../../model/Channel.js"
import type { SendType } from "../../model/MessageContent.js"

/** The types of `POST /messages` that a connection with these capabilities carries. */
export const sendTypes = ({ templates, types }: Capabilities): ReadonlyArray<SendType> =>
  types ?? (templates ? ["text", "template"] : ["text"])

/** Maximum number of messages into which the files of one send are divided. */
const maxDivided = 10

/**
 * Maximum number of files of one send: where a message has one file, they are divided among several messages
 * (docs/reference/content.md#several-files).
 */
export const maxFilesOfSend = ({ count }: FileLimits): number => (count === 1 ? maxDivided : count)
