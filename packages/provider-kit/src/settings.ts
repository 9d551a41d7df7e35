import { CheckOutcome, type Connection, ProviderUnavailable, SendOutcome } from "@parley/core"
import { Effect, Either, Schema } from "effect"

/** The settings of a connection, decoded by its provider's schemas. */
export interface Settings<Config, Credentials> {
  readonly config: Config
  readonly credentials: Credentials
}

/**
 * Reads a connection's settings. Fails, with a problem to show, if they are not complete. The result is cached with the
 * decrypted credentials until the config changes.
 */
export const settingsReader = <Config, ConfigInput, Credentials, CredentialsInput>(
  config: Schema.Schema<Config, ConfigInput>,
  credentials: Schema.Schema<Credentials, CredentialsInput>
) => {
  // A ParseError contains values, including secrets.
  const decode = (input: unknown) => Either.mapLeft(read(input), () => incompleteSettings)
  const read = Schema.decodeUnknownEither(Schema.Struct({ config, credentials }))
  const known = new WeakMap<object, { readonly text: string; readonly settings: ReturnType<typeof decode> }>()

  return (
    { config }: Pick<Connection, "config">,
    credentials: unknown
  ): Either.Either<Settings<Config, Credentials>, string> => {
    if (typeof credentials !== "object" || credentials === null) return decode({ config, credentials })
    const text = JSON.stringify(config)
    const last = known.get(credentials)
    if (last?.text === text) return last.settings
    const settings = decode({ config, credentials })
    known.set(credentials, { text, settings })
    return settings
  }
}

/**
 * Makes a function that uses the account and the vendor's API of a connection, or `onLeft`, with the problem, if the
 * settings are not complete.
 */
export const withSettings =
  <Account, Api>(
    accountOf: (connection: Connection, credentials: unknown) => Either.Either<Account, string>,
    apiOf: (connection: Connection) => Either.Either<Api, string>
  ) =>
  <A>(
    connection: Connection,
    credentials: unknown,
    onLeft: (problem: string) => A,
    onRight: (account: Account, api: Api) => A
  ): A =>
    Either.match(Either.all([accountOf(connection, credentials), apiOf(connection)]), {
      onLeft,
      onRight: ([account, api]) => onRight(account, api)
    })

/** The error message for a connection whose settings are not complete. */
export const incompleteSettings = "The connection's config or credentials are not complete."

/** The outcome of a send on an unusable connection: its messages fail, and administrators are notified. */
export const unusableConnection = (problem: string): Effect.Effect<SendOutcome> =>
  Effect.succeed(
    SendOutcome.Rejected({
      scope: "connection",
      code: "provider_error",
      providerCode: "incomplete_settings",
      providerMessage: problem
    })
  )

/** A check or set-up that found a problem. */
export const failingCheck = (problem: string): Effect.Effect<CheckOutcome> =>
  Effect.succeed(CheckOutcome.Failing({ problem }))

/** The vendor could not be reached; the reason is safe to log. */
export const unavailable = (reason: string): Effect.Effect<never, ProviderUnavailable> =>
  Effect.fail(new ProviderUnavailable({ reason }))
