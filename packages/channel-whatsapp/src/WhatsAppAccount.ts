import { type Settings, settingsReader } from "@parley/provider-kit"
import { WhatsAppConfig } from "./WhatsAppConfig.js"
import { WhatsAppCredentials } from "./WhatsAppCredentials.js"

/** A business's phone number at Meta, with its credentials. */
export type WhatsAppAccount = Settings<WhatsAppConfig, WhatsAppCredentials>

/** The account of a connection. */
export const accountOf = settingsReader(WhatsAppConfig, WhatsAppCredentials)
