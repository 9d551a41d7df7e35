import type { Capabilities } from "../../model/Channel.js"
import type { Connection } from "../../model/Connection.js"
import type { ChannelProviders } from "../../ports/ChannelProvider.js"

/** The capabilities of a connection; none if this host does not have its provider. */
export const capabilitiesOf = (providers: ChannelProviders, connection: Connection): Capabilities =>
  providers.byKind.get(connection.provider)?.capabilities(connection) ?? nothing

/** The capabilities that callers see: with files of at most `maxBytes`, the limit of this service. */
export const offeredCapabilities = (
  providers: ChannelProviders,
  connection: Connection,
  maxBytes: number
): Capabilities => {
  const capabilities = capabilitiesOf(providers, connection)
  const { files } = capabilities
  return files == null ? capabilities : { ...capabilities, files: { ...files, bytes: Math.min(files.bytes, maxBytes) } }
}

const nothing: Capabilities = {
  textMaxLength: null,
  templates: false,
  deliveryReceipts: false,
  readReceipts: false,
  serviceWindowHours: null
}
