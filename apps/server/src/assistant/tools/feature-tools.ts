import { allFeatures } from '@tradewright/engine/features/catalogue'
import { z } from 'zod'
import { defineTool } from '../tool.ts'

export const featureTools = {
  listFeatures: defineTool({
    name: 'list_features',
    description: 'The features that an ML strategy can learn from, with their parameters.',
    note: 'Reading the catalogue of features',
    input: z.object({}),
    async run() {
      return {
        features: allFeatures.map(({ id, name, description, parameters }) => ({
          id,
          name,
          description,
          parameters: parameters.map((parameter) => parameter.name),
        })),
      }
    },
  }),
}
