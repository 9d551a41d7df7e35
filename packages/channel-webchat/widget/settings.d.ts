import type { WidgetSettings } from "../src/WidgetSettings.js"

declare global {
  /** The server puts them around the script. */
  const SETTINGS: WidgetSettings
}
