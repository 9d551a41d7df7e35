import type { Labels } from "./Labels.js"
import type { OfficeHours } from "./officeHours.js"

/** The settings that are embedded in the widget's script. */
export interface WidgetSettings {
  readonly title: string
  readonly greeting: string | null
  /** As `#rrggbb`. */
  readonly accentColor: string
  /** The files that visitors may send; null: none. */
  readonly files: { readonly types: ReadonlyArray<string>; readonly maxBytes: number } | null
  /** The fields of the form before the chat; empty: no form. */
  readonly preChat: ReadonlyArray<"name" | "email" | "phone">
  readonly officeHours: OfficeHours | null
  readonly sound: boolean
  /** Those that the connection sets. */
  readonly labels: Partial<Labels>
}
