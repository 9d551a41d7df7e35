import type { Connection } from "@parley/core"
import { Either, Schema } from "effect"
import { MessengerConfig } from "./MessengerConfig.js"
import { MessengerCredentials } from "./MessengerCredentials.js"

/** A business's Page at Meta, or the Instagram account that is linked to one, and what opens it. */
export interface MessengerAccount extends Pick<Connection, "channel"> {
  readonly config: MessengerConfig
  readonly credentials: MessengerCredentials
}

const Account = Schema.Struct({ config: MessengerConfig, credentials: MessengerCredentials })
const readAccount = Schema.decodeUnknownEither(Account)

/** The account behind a connection; left, in our own words, where its settings are not complete. */
export const accountOf = (
  { channel, config }: Pick<Connection, "channel" | "config">,
  credentials: unknown
): Either.Either<MessengerAccount, string> =>
  readAccount({ config, credentials }).pipe(
    Either.mapBoth({ onLeft: () => incomplete, onRight: (account) => ({ ...account, channel }) }),
    Either.filterOrLeft(
      ({ config }) => channel !== "instagram" || config.instagram_account_id !== undefined,
      () => "The connection's config has no instagram_account_id, without which nothing arrives from Instagram."
    )
  )

const incomplete = "The connection's config or credentials are not complete."

/** What Meta's requests name an account by: the Page, or the Instagram account. */
export const metaIdOf = ({ channel, config }: Pick<Connection, "channel" | "config">): string =>
  String(channel === "instagram" ? config.instagram_account_id : config.page_id)
