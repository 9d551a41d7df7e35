import type { Labels } from "./Labels.js"

/** The settings that are embedded in the widget's script. */
export interface WidgetSettings {
  readonly title: string
  readonly greeting: string | null
  /** As `#rrggbb`. */
  readonly accentColor: string
  readonly labels: Labels
}
