/** `Nov 17, 2026, 4:00 PM ET`, in sentences for people. */
export const easternTime = (instant: Date): string =>
  `${instant
    .toLocaleString('en-US', {
      timeZone: 'America/New_York',
      month: 'short',
      day: 'numeric',
      year: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
    })
    // Some platforms put a narrow no-break space before AM and PM.
    .replace(/\s/g, ' ')} ET`
