import type { Connection } from "@parley/core"
import { type Settings, settingsReader } from "@parley/provider-kit"
import { Either } from "effect"
import { MessengerConfig } from "./MessengerConfig.js"
import { MessengerCredentials } from "./MessengerCredentials.js"

/** A business's Facebook Page, or the Instagram account linked to one, with its credentials. */
export interface MessengerAccount
  extends Pick<Connection, "channel">,
    Settings<MessengerConfig, MessengerCredentials> {}

const readSettings = settingsReader(MessengerConfig, MessengerCredentials)

/** The account of a connection. Fails, with a problem to show, if its settings are not complete. */
export const accountOf = (
  connection: Pick<Connection, "channel" | "config">,
  credentials: unknown
): Either.Either<MessengerAccount, string> =>
  readSettings(connection, credentials).pipe(
    Either.map((settings) => ({ ...settings, channel: connection.channel })),
    Either.filterOrLeft(
      ({ channel, config }) => channel !== "instagram" || config.instagram_account_id !== undefined,
      () => "The connection's config has no instagram_account_id, without which nothing arrives from Instagram."
    )
  )

/** The id of the account in Meta's requests: that of the Page or of the Instagram account; null if it is not set. */
export const metaIdOf = ({ channel, config }: Pick<Connection, "channel" | "config">): string | null => {
  const id = channel === "instagram" ? config.instagram_account_id : config.page_id
  return id === undefined ? null : String(id)
}
