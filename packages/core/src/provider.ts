// `@parley/core/provider`: what the author of a channel provider needs. docs/write-a-provider.md shows how to use it.
export {
  isUuid,
  listOf,
  oneOf,
  optional,
  optionalText,
  requiredText,
  wholeNumber,
  withMessage
} from "./kernel/input/Fields.js"
export { parseUrl } from "./kernel/input/parseUrl.js"
export type {
  Capabilities,
  Channel,
  ChannelDefinition,
  Channels,
  ChoiceLimits,
  FileKind,
  FileLimits
} from "./model/Channel.js"
export type { Connection } from "./model/Connection.js"
export { type InboundAttachment, InboundEvent, type InboundQuote, type PastMessage } from "./model/InboundEvent.js"
export { day, hour, type Instant, minute, second } from "./model/Instant.js"
export type { MailAddresses, Message, MessageError, Receipt, Referral } from "./model/Message.js"
export type { ContentOf, MessageContent, MessageType, SendType } from "./model/MessageContent.js"
export type { TemplateStatus } from "./model/Template.js"
export * from "./ports/ChannelProvider.js"
export { channelProviders } from "./resources/channels/channelProviders.js"
export { failedBeforeSending, requestFailure } from "./resources/channels/failedBeforeSending.js"
export { optionToken } from "./resources/messages/optionToken.js"
