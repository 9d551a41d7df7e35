import { settingsReader } from "@parley/provider-kit"
import { SmsConfig } from "./SmsConfig.js"
import { SmsCredentials } from "./SmsCredentials.js"

/** A connection's settings. */
export interface SmsAccount {
  readonly config: SmsConfig
  readonly credentials: SmsCredentials
}

/** Reads a connection's settings; left: the problem, if they are not complete. */
export const accountOf = settingsReader(SmsConfig, SmsCredentials)
