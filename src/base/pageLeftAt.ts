/** A reload begins when the page before it is left; of any other way to come here the browser says nothing. */
export function pageLeftAt(performance: Performance): number | undefined {
  const [navigation] = performance.getEntriesByType('navigation');
  const isReload = navigation instanceof PerformanceNavigationTiming && navigation.type === 'reload';
  return isReload ? Math.round(performance.timeOrigin) : undefined;
}
