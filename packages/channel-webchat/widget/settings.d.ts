import type { WidgetSettings } from "../src/WidgetSettings.js"

declare global {
  /** The server defines it around the script. */
  const SETTINGS: WidgetSettings
}
