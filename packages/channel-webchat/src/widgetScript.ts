import { createHash } from "node:crypto"
import type { Connection, ProviderAnswer, ProviderRequest } from "@parley/core"
import { empty } from "./answers.js"
import { acceptedTypes, maxFileBytes } from "./files.js"
import { widget } from "./generated/widget.js"
import type { WebchatConfig } from "./WebchatConfig.js"
import type { WidgetSettings } from "./WidgetSettings.js"

/**
 * `GET /widget.js`: the widget with the connection's settings, for any page. Only pages of allowed origins can use the
 * other endpoints.
 */
export const widgetScript = (
  connection: Connection,
  config: WebchatConfig,
  headers: ProviderRequest["headers"]
): ProviderAnswer => {
  const script = `(SETTINGS=>{${widget}})(${JSON.stringify(settingsOf(connection, config))})`
  const etag = `"${createHash("sha256").update(script).digest("base64url")}"`
  const kept = { etag, "cache-control": "public, max-age=300", "cross-origin-resource-policy": "cross-origin" }
  return headers["if-none-match"] === etag
    ? empty(304, kept)
    : { status: 200, headers: { ...kept, "content-type": "text/javascript; charset=utf-8" }, body: script }
}

const filesOf = ({ config }: Connection): WidgetSettings["files"] => {
  const types = acceptedTypes(config)
  return types.length === 0 ? null : { types, maxBytes: maxFileBytes }
}

const settingsOf = (
  connection: Connection,
  { title, greeting, accentColor, labels, officeHours, preChat, sound }: WebchatConfig
): WidgetSettings => ({
  title: title ?? connection.name,
  greeting,
  accentColor: accentColor ?? "#0b57d0",
  files: filesOf(connection),
  preChat: preChat ?? [],
  officeHours,
  sound,
  labels
})
