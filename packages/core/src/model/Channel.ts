import { Schema } from "effect"
import type { IdentityChannel } from "./Contact.js"
import type { MessageType, SendType } from "./MessageContent.js"

/** Form of a channel's name. */
export const channelNamePattern = /^[a-z][a-z0-9_]{0,31}$/

/** The name of a channel that a provider of the host declares (docs/reference/channels.md#declared-channels). */
export const Channel = Schema.String.annotations({
  jsonSchema: { type: "string", format: "channel", pattern: channelNamePattern.source }
})
export type Channel = string

/** A channel as its providers declare it (docs/reference/channels.md#declared-channels). */
export interface ChannelDefinition {
  /** Name in the interface, such as `telegram`: {@link channelNamePattern}. */
  readonly name: Channel
  /**
   * The kind of identity that a customer's handle is: an SMS number is a `phone`. Contacts have one address for all
   * channels of one kind. Null: handles are no identities, and sends address a conversation by its id (web chat).
   */
  readonly identity: IdentityChannel | null
  /** Whether messages have a subject. Default: false. */
  readonly subjects?: boolean
  /**
   * Whether it is a channel of the written interface, which sends can name without a connection (403). Others exist for
   * a workspace once it has a connection on them. Default: false.
   */
  readonly standard?: boolean
}

/** The channels of a host or of one provider, with distinct names. */
export type Channels = ReadonlyArray<ChannelDefinition>

/** The definition of a channel. One that no provider declares has no identity. */
export const channelOf = (channels: Channels, name: Channel): ChannelDefinition =>
  channels.find((channel) => channel.name === name) ?? { name, identity: null }

/** The validation message for a channel that no provider declares, or null. */
export const channelProblem = (channels: Channels, name: Channel): string | null =>
  channels.some((channel) => channel.name === name)
    ? null
    : `must be one of ${channels.map((channel) => channel.name).join(", ")}`

/** Capabilities of a connection, stated by its provider. Wire shape: docs/reference/channels.md#capabilities. */
export interface Capabilities {
  /** Maximum text length in characters (Unicode code points); null for no limit. */
  readonly textMaxLength: number | null
  readonly templates: boolean
  readonly deliveryReceipts: boolean
  readonly readReceipts: boolean
  /** Hours after the customer's last message in which free text is allowed; null: always allowed. */
  readonly serviceWindowHours: number | null
  /** The types of `POST /messages` that the channel carries. Default: text, and template if {@link templates}. */
  readonly types?: ReadonlyArray<SendType>
  /** The types of customers' messages that the provider reads (docs/reference/content.md#types). Default: text. */
  readonly receives?: ReadonlyArray<Exclude<MessageType, "template">>
  /** Limits of `choices`; needed if {@link types} has it. Default: null. */
  readonly choices?: ChoiceLimits | null
  /** Limits of the files of `media`; needed if {@link types} has it. Default: null. */
  readonly files?: FileLimits | null
  /**
   * What the files in the headers of templates and of their cards must be beside {@link files}, by the kind of the
   * header. Default: no further limits.
   */
  readonly headerFiles?: HeaderFileLimits
  /** Whether a location of a send can have a `url`. Default: false. */
  readonly locationUrls?: boolean
  /**
   * The emoji that a `reaction` of a send can have, without variation selectors (U+FE0F), which are ignored. Default:
   * any emoji.
   */
  readonly reactions?: ReadonlyArray<string>
  /** Whether a send can quote an earlier message. Default: false. */
  readonly quotes?: boolean
  /** Whether the customer can be shown that the business types. Default: false. */
  readonly typing?: boolean
  /** Whether the customer can be shown that the business has read the messages. Default: false. */
  readonly readMarks?: boolean
}

/** The kind of a file by its media type, such as `image` for `image/png`. */
export type FileKind = "image" | "video" | "audio" | "document"

/** Limits of a send with files. */
export interface FileLimits {
  /** Maximum number of files in one message. */
  readonly count: number
  /** Maximum size of a file in bytes, of whatever kind. */
  readonly bytes: number
  /** Maximum size in bytes of the kinds of files that must be smaller. Default: {@link bytes} for each kind. */
  readonly bytesByType?: { readonly [type in FileKind]?: number }
  /** Media types that the channel takes; `image/*` is every image. Default: all. */
  readonly types?: ReadonlyArray<string>
  /** Maximum length of the caption in characters; 0: files have none. Default: that of a text. */
  readonly captionLength?: number
}

/** Limits of the files in the headers of templates, by the kind of the header. */
export type HeaderFileLimits = {
  readonly [kind in "image" | "video" | "document"]?: Partial<Pick<FileLimits, "bytes" | "types">>
}

/** Limits of a question with options. Lengths are in characters (Unicode code points). */
export interface ChoiceLimits {
  /** Maximum number of options. */
  readonly options: number
  /** Maximum length of the question. Default: that of a text. */
  readonly questionLength?: number
  readonly titleLength: number
  /** Maximum length of an option's id. */
  readonly idLength: number
  /** Maximum length of an option's second line; 0: the channel shows none. */
  readonly descriptionLength: number
  /** Maximum length of the label of a list's button. Default: 0, the channel shows none and the label is ignored. */
  readonly buttonLength?: number
}
