import * as Host from "@parley/host"
import type { ParleyOptions } from "./ParleyOptions.js"

export type {
  Application,
  BotAnswer,
  BotTurn,
  EntitledOperation,
  ErrorCode,
  MessageContent,
  Notice
} from "@parley/core"
export type * from "@parley/host"
export { isParleyError, migrate, ParleyError, recountContacts, SetupError } from "@parley/host"
export type { BlobStore } from "./BlobStore.js"
export type { Channel } from "./Channel.js"
export { DatabaseUnusable, OptionsInvalid, SecretKeyMismatch } from "./errors.js"
export type { ParleyOptions } from "./ParleyOptions.js"

/**
 * Opens the storage, runs migrations and starts the worker. Rejects if an option is invalid, the database cannot be
 * used, or the secret key is not the one that encrypted the database's secrets. The message says what to do.
 *
 * @example
 * ```ts
 * const parley = await createParley({ storage: { url: "sqlite:./parley.db" }, channels: [sandbox()] })
 * express().use("/messaging", parley.listener).listen(3000)
 * process.once("SIGTERM", () => void parley.close())
 * ```
 */
export const createParley: (options: ParleyOptions) => Promise<Host.Parley> = Host.createParley as unknown as (
  options: ParleyOptions
) => Promise<Host.Parley>
