export const OPERATOR_COMMANDS: Readonly<Record<string, string>>
