import type { Connection } from "@parley/core"
import { type Either, Schema } from "effect"
import type { ParseError } from "effect/ParseResult"
import { WhatsAppConfig } from "./WhatsAppConfig.js"
import { WhatsAppCredentials } from "./WhatsAppCredentials.js"

/** A business's number at Meta and what opens it. */
export interface WhatsAppAccount {
  readonly config: WhatsAppConfig
  readonly credentials: WhatsAppCredentials
}

const Account = Schema.Struct({ config: WhatsAppConfig, credentials: WhatsAppCredentials })
const readAccount = Schema.decodeUnknownEither(Account)

/** What was read last of these credentials, and with which config. */
const read = new WeakMap<object, { readonly config: string; readonly account: ReturnType<typeof readAccount> }>()

/** The account behind a connection; left where its settings are not complete. Do not show the error: it has values in it. */
export const accountOf = (
  { config }: Pick<Connection, "config">,
  credentials: unknown
): Either.Either<WhatsAppAccount, ParseError> => {
  if (typeof credentials !== "object" || credentials === null) return readAccount({ config, credentials })
  const text = JSON.stringify(config)
  const known = read.get(credentials)
  if (known?.config === text) return known.account
  const account = readAccount({ config, credentials })
  read.set(credentials, { config: text, account })
  return account
}

/** What to say of a connection whose settings are not complete. */
export const incomplete = "The connection's config or credentials are not complete."
