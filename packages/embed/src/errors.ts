import * as Host from "@parley/host"

/** A class of errors, for `instanceof`. */
type ErrorClass<Fields> = abstract new (...args: never) => Error & Fields

/** An option of `createParley` is invalid. `message` names each and says what it must be. */
export const OptionsInvalid: ErrorClass<{ readonly problems: ReadonlyArray<string> }> = Host.OptionsInvalid

/** The database cannot be opened. `message` is one line for the operator. */
export const DatabaseUnusable: ErrorClass<{ readonly setting: string; readonly database: string }> =
  Host.DatabaseUnusable

/** The secret key is not the one that encrypted the secrets of the database. */
export const SecretKeyMismatch: ErrorClass<unknown> = Host.SecretKeyMismatch
