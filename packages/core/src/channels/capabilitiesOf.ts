import type { ChannelProviders } from "../ports/ChannelProvider.js"
import type { Capabilities } from "./Channel.js"
import type { Connection } from "./Connection.js"

/** What a connection can do; nothing where the host does not have its provider any more. */
export const capabilitiesOf = (providers: ChannelProviders, connection: Connection): Capabilities =>
  providers.byKind.get(connection.provider)?.capabilities(connection) ?? nothing

const nothing: Capabilities = {
  textMaxLength: null,
  templates: false,
  deliveryReceipts: false,
  readReceipts: false,
  serviceWindowHours: null
}
