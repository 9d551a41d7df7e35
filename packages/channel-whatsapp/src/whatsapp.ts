import { type Capabilities, type ChannelProvider, normaliseHandle } from "@parley/core"
import { challengeAnswer, type GraphOptions, graphApi, isSigned } from "@parley/meta-graph"
import {
  apiOfConnection,
  failingCheck,
  unavailable,
  unusableConnection,
  vendorFiles,
  withApiUrl,
  withSettings
} from "@parley/provider-kit"
import { check } from "./check.js"
import { fetchFile } from "./fetchFile.js"
import { history } from "./history.js"
import { listTemplates } from "./listTemplates.js"
import { rates } from "./rates.js"
import { maxConcurrentSends, maxUploading, mediaIdLifetime, sendMessage, sendTimeout } from "./sendMessage.js"
import { setUp } from "./setUp.js"
import { signal } from "./signal.js"
import { imageLimits, uploadTypes, videoTypes } from "./uploadFile.js"
import { accountOf } from "./WhatsAppAccount.js"
import { WhatsAppConfig } from "./WhatsAppConfig.js"
import { WhatsAppCredentials } from "./WhatsAppCredentials.js"
import type { WhatsAppOptions } from "./WhatsAppOptions.js"
import { parse } from "./webhook/parse.js"

const capabilities: Capabilities = {
  textMaxLength: 4_096,
  templates: true,
  deliveryReceipts: true,
  readReceipts: true,
  serviceWindowHours: 24,
  types: ["text", "template", "media", "location", "contacts", "choices", "reaction"],
  receives: [
    ...(["text", "media", "location", "contacts", "choice", "form", "order", "reaction", "edit", "deletion"] as const),
    ...(["system", "unsupported"] as const)
  ],
  // Limits that hold for reply buttons and for lists.
  choices: {
    options: 10,
    questionLength: 1_024,
    titleLength: 20,
    idLength: 200,
    descriptionLength: 72,
    buttonLength: 20
  },
  // Meta takes documents, which larger images are too, up to 100 MB.
  files: {
    count: 1,
    bytes: maxUploading,
    bytesByType: { video: 16 * 1_048_576, audio: 16 * 1_048_576 },
    types: uploadTypes,
    captionLength: 1_024
  },
  // Other files are documents, which such a header refuses.
  headerFiles: { image: imageLimits, video: { types: videoTypes } },
  quotes: true,
  typing: true,
  readMarks: true
}

/**
 * WhatsApp through Meta's Cloud API (docs/channels/whatsapp.md).
 *
 * @example
 * ```ts
 * import { whatsapp } from "@parley/channel-whatsapp"
 * import { createParley } from "@parley/host"
 *
 * const parley = await createParley({ storage: { url: "sqlite:parley.db" }, channels: [whatsapp()] })
 * ```
 */
export const whatsapp = (options: WhatsAppOptions = {}): ChannelProvider => {
  const apiAt = (more: GraphOptions = {}) => graphApi({ ...options, ...more }, ({ code }) => String(code))
  const apiOf = apiOfConnection(options, apiAt(), (graphUrl) => apiAt({ graphUrl }))

  const withAccount = withSettings(accountOf, apiOf)
  const mediaIds = vendorFiles({ lifetimeMs: mediaIdLifetime })

  return {
    kind: "whatsapp",
    channels: [{ name: "whatsapp", identity: "whatsapp", standard: true }],
    config: withApiUrl(WhatsAppConfig, options),
    credentials: WhatsAppCredentials,
    capabilities: () => capabilities,
    parseHandle: normaliseHandle,
    dedupes: false,
    rates,
    sendTimeout,
    maxConcurrentSends: (_connection, message) => maxConcurrentSends(message),
    send: (connection, credentials, message) =>
      withAccount(connection, credentials, unusableConnection, (account, graph) =>
        sendMessage(graph, account, message, { connection, mediaIds })
      ),
    signal: (connection, credentials, given) =>
      withAccount(connection, credentials, unavailable, (account, graph) => signal(graph, account, given)),
    webhook: {
      challenge: (connection, credentials, request) =>
        withAccount(
          connection,
          credentials,
          () => null,
          (account) => challengeAnswer(account.credentials.verify_token, request)
        ),
      verify: (connection, credentials, request) =>
        withAccount(
          connection,
          credentials,
          () => false,
          (account) => isSigned(account.credentials.app_secret, request)
        ),
      parse,
      accountOf: ({ config }) => String(config.phone_number_id),
      businessAccountOf: ({ config: { business_account_id: id } }) => (typeof id === "string" ? id : null)
    },
    fetchFile: (connection, credentials, reference) =>
      withAccount(connection, credentials, unavailable, (account, graph) => fetchFile(graph, account, reference)),
    listTemplates: (connection, credentials) =>
      withAccount(connection, credentials, unavailable, (account, graph) => listTemplates(graph, account)),
    history: (connection, credentials) =>
      withAccount(connection, credentials, unavailable, (account, graph) => history(graph, account)),
    check: (connection, credentials) =>
      withAccount(connection, credentials, failingCheck, (account, graph) => check(graph, account, connection)),
    setUp: (connection, credentials, webhookUrl) =>
      withAccount(connection, credentials, failingCheck, (account, graph) => setUp(graph, account, webhookUrl))
  }
}
