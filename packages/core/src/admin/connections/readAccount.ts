import { Either } from "effect"
import { normaliseHandle } from "../../contacts/Handle.js"
import { type Draft, joinProblems } from "../../input/Draft.js"
import type { ChannelProvider, ChannelProviders } from "../../ports/ChannelProvider.js"
import type { ConnectionInput } from "./ConnectionInput.js"
import { type ReadSettings, readSettings } from "./readSettings.js"

/** The fields of a new connection that its provider has a say in, as far as they could be read. */
export interface Account extends ReadSettings {
  /** The business's own handle, normalised. */
  readonly handle?: string
  readonly provider?: ChannelProvider
}

/** Asks the provider that the input names what it makes of the rest. */
export const readAccount = (providers: ChannelProviders, input: Draft<ConnectionInput>["value"]): Account => {
  if (input.provider === undefined) return { problems: {} }
  const provider = providers.byKind.get(input.provider)
  if (provider === undefined) {
    return { problems: { provider: [`must be one of ${[...providers.byKind.keys()].join(", ")}`] } }
  }
  const { channel, handle: text } = input
  const settings = {
    provider,
    ...readSettings(provider, { config: input.config ?? null, credentials: input.credentials ?? null })
  }
  if (channel === undefined || text === undefined) return settings
  if (!provider.channels.includes(channel)) {
    const words = `must be one of ${provider.channels.join(", ")} with this provider`
    return { ...settings, problems: joinProblems(settings.problems, { channel: [words] }) }
  }
  const parse = provider.parseOwnHandle ?? provider.parseHandle
  const handle = Either.flatMap(normaliseHandle(channel, text), (normal) => parse(channel, normal))
  return Either.isLeft(handle)
    ? { ...settings, problems: joinProblems(settings.problems, { handle: [handle.left] }) }
    : { ...settings, handle: handle.right }
}
