import type { Capabilities } from "../../model/Channel.js"
import type { Connection } from "../../model/Connection.js"
import type { ChannelProviders } from "../../ports/ChannelProvider.js"

/** The capabilities of a connection; none if this host does not have its provider. */
export const capabilitiesOf = (providers: ChannelProviders, connection: Connection): Capabilities =>
  providers.byKind.get(connection.provider)?.capabilities(connection) ?? nothing

const nothing: Capabilities = {
  textMaxLength: null,
  templates: false,
  deliveryReceipts: false,
  readReceipts: false,
  serviceWindowHours: null
}
