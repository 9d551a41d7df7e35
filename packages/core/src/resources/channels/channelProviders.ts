import { Schema } from "effect"
import { type Channel, type ChannelDefinition, channelNamePattern } from "../../model/Channel.js"
import { IdentityChannel } from "../../model/Contact.js"
import type { ChannelProvider, ChannelProviders } from "../../ports/ChannelProvider.js"

/**
 * The providers of a host. Throws an `Error` that says what to correct if two have one kind, a channel's name has not
 * the form of {@link channelNamePattern}, or two providers declare one channel differently.
 */
export const channelProviders = (providers: ReadonlyArray<ChannelProvider>): ChannelProviders => {
  const byKind = new Map<string, ChannelProvider>()
  const channels = new Map<Channel, ChannelDefinition>()
  for (const provider of providers) {
    if (byKind.has(provider.kind)) throw new Error(`Two channel providers have the kind ${provider.kind}. Remove one.`)
    byKind.set(provider.kind, provider)
    for (const channel of provider.channels) {
      const { identity, name, standard = false, subjects = false } = channel
      const known = channels.get(name)
      if (!channelNamePattern.test(name)) {
        throw new Error(
          `The provider ${provider.kind} declares the channel ${name}. A name is a-z, 0-9 and _, at most 32 characters, and begins with a letter.`
        )
      }
      if (name === "preferred") throw new Error("The channel name preferred is reserved for workflows. Choose another.")
      if (Schema.is(IdentityChannel)(name) && identity !== name) {
        throw new Error(
          `The provider ${provider.kind} declares the channel ${name}. ${name} is the name of an identity: declare the channel with this identity, or choose another name.`
        )
      }
      if (
        known !== undefined &&
        (known.identity !== identity ||
          (known.subjects ?? false) !== subjects ||
          (known.standard ?? false) !== standard)
      ) {
        throw new Error(
          `The provider ${provider.kind} declares the channel ${name} differently from another provider. Declare the same identity, subjects and standard.`
        )
      }
      if (known === undefined) channels.set(name, channel)
    }
  }
  return { byKind, channels: [...channels.values()] }
}
