import type { Labels } from "./Labels.js"

/** What the widget is told along with its script. */
export interface WidgetSettings {
  readonly title: string
  readonly greeting: string | null
  /** As `#rrggbb`. */
  readonly accentColor: string
  readonly labels: Labels
}
