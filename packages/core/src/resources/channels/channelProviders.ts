import { Schema } from "effect"
import { type Channel, type ChannelDefinition, channelNamePattern } from "../../model/Channel.js"
import { IdentityChannel } from "../../model/Contact.js"
import type { ChannelProvider, ChannelProviders } from "../../ports/ChannelProvider.js"

const functions = ["capabilities", "parseHandle", "send"] as const
const optionalFunctions = [
  "parseOwnHandle",
  "textProblem",
  "reactionProblem",
  "rates",
  "maxConcurrentSends",
  "signal",
  "serve",
  "poll",
  "fetchFile",
  "profileName",
  "listTemplates",
  "history",
  "check",
  "setUp"
] as const

/** What is wrong with the parts of a provider, which may come from untyped JavaScript. */
const problemsOf = (provider: ChannelProvider): ReadonlyArray<string> => {
  const { channels, config, credentials, dedupes, sendTimeout, webhook } = provider
  return [
    ...functions.filter((name) => typeof provider[name] !== "function").map((name) => `${name} must be a function`),
    ...optionalFunctions
      .filter((name) => provider[name] !== undefined && typeof provider[name] !== "function")
      .map((name) => `${name} must be a function, or absent`),
    ...(Array.isArray(channels) && channels.length > 0 ? [] : ["channels must list at least one channel"]),
    ...(Schema.isSchema(config) ? [] : ["config must be a Schema"]),
    ...(Schema.isSchema(credentials) ? [] : ["credentials must be a Schema"]),
    ...(typeof dedupes === "boolean" ? [] : ["dedupes must be true or false"]),
    ...(sendTimeout === undefined || (sendTimeout > 0 && sendTimeout < Number.POSITIVE_INFINITY)
      ? []
      : ["sendTimeout must be a positive number of ms, or absent"]),
    ...(webhook === undefined || (typeof webhook?.verify === "function" && typeof webhook.parse === "function")
      ? []
      : ["webhook must have the functions verify and parse, or be absent"])
  ]
}

/**
 * The providers of a host. Throws an `Error` that says what to correct if a provider lacks a part, two have one kind, a
 * channel's name has not the form of {@link channelNamePattern}, or two providers declare one channel differently.
 */
export const channelProviders = (providers: ReadonlyArray<ChannelProvider>): ChannelProviders => {
  const byKind = new Map<string, ChannelProvider>()
  const channels = new Map<Channel, ChannelDefinition>()
  for (const provider of providers) {
    if (byKind.has(provider.kind)) throw new Error(`Two channel providers have the kind ${provider.kind}. Remove one.`)
    const problems = problemsOf(provider)
    if (problems.length > 0) throw new Error(`The provider ${provider.kind} is incomplete: ${problems.join("; ")}.`)
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
