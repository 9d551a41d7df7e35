import type { ChannelDefinition } from "@parley/core"

/** All channels of the interface. */
export const interfaceChannels = ["whatsapp", "telegram", "email", "webchat", "instagram", "facebook"] as const

/** Definitions of channels of the interface, for the `channels` of a provider. */
export const channelsNamed = (
  ...names: ReadonlyArray<(typeof interfaceChannels)[number]>
): ReadonlyArray<ChannelDefinition> =>
  names.map((name) => ({
    name,
    identity: name === "webchat" ? null : name,
    subjects: name === "email",
    standard: true
  }))
