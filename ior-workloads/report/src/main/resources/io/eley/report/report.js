'use strict';
(function () {
  const report = JSON.parse(document.getElementById('report-data').textContent);
  const MIB = 1048576;
  const MODES = { HPCAlone: '--alone', NaiveBB: '--naive', NoAction: '--noaction', FullDelay: '--fulldelay' };
  const CAUSES = { PREFETCH: '--prefetch', DEMAND: '--demand', DIRECT: '--direct', FALLBACK: '--fallback', READ_AHEAD: '--readahead' };
  const PLOT_HEIGHT = 250;
  const HALF_SECOND = 0.5;
  const charts = [];
  const color = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const label = mode => mode === 'HPCAlone' ? 'HPC alone' : mode;
  const fixed = (value, digits) => value == null ? '–' : value.toFixed(digits);
  const signed = value => (value < 0 ? '−' : '+') + Math.abs(value).toFixed(0) + ' %';
  const workloads = [...new Set(report.runs.map(r => r.workload))];
  const modes = Object.keys(MODES).filter(m => report.runs.some(r => r.mode === m));
  const BOTH = ['NaiveBB', 'NoAction', 'FullDelay'];
  const WORDS = { NaiveBB: 'Spark reads the file system itself', NoAction: 'prefetching with no regard for the HPC application',
    FullDelay: 'prefetching that steps aside' };
  const runs = (mode, workload) => report.runs.filter(r => r.mode === mode && r.workload === workload);
  const row = (mode, workload) => report.rows.find(r => r.mode === mode && r.workload === workload);
  const counted = (mode, workload) => runs(mode, workload).flatMap(r => r.phases.filter(p => p.duringMap));
  const median = (mode, workload, what) => { const r = row(mode, workload); return r && r[what] ? r[what].median : null; };
  // What is drawn once is drawn of the repetition that is the middle one by FullDelay's map phase, as the page's text says.
  const middle = workload => {
    const all = runs('FullDelay', workload).filter(r => r.mapSeconds != null).sort((a, b) => a.mapSeconds - b.mapSeconds);
    return all.length ? all[(all.length - 1) >> 1].repetition : 1;
  };
  const font = getComputedStyle(document.body).fontFamily;

  function base() {
    return {
      animation: false,
      textStyle: { fontFamily: font, color: color('--ink') },
      aria: { enabled: true },
      tooltip: {
        confine: true, backgroundColor: color('--card'), borderColor: color('--line'),
        textStyle: { color: color('--ink'), fontFamily: font, fontSize: 13 }
      }
    };
  }

  function axisStyle() {
    return {
      axisLine: { lineStyle: { color: color('--line') } },
      axisTick: { show: false },
      axisLabel: { color: color('--soft'), fontFamily: font },
      splitLine: { lineStyle: { color: color('--line') } },
      nameTextStyle: { color: color('--soft'), fontFamily: font, align: 'left' }
    };
  }

  // Bars of medians; a dot for each value behind them, where there is more than the median itself.
  function bars(element, shown, side) {
    const axis = axisStyle(), narrow = element.clientWidth < 460,
      thin = element.clientWidth / (shown.length * workloads.length) < 60;
    const layout = { barMaxWidth: 64, barGap: '12%', barCategoryGap: '28%' };
    const all = workloads.flatMap(w => shown.flatMap(m => side.dots(m, w).concat(side.value(m, w) || 0)));
    const top = round(1.18 * Math.max(...all, 0.001));
    const lift = (m, w) => Math.max(0, (narrow ? PLOT_HEIGHT - 20 : PLOT_HEIGHT) * (Math.max(...side.dots(m, w), 0) - side.value(m, w)) / top.max);
    const series = shown.map(mode => Object.assign({
      name: label(mode), type: 'bar',
      itemStyle: { color: color(MODES[mode]), borderRadius: [3, 3, 0, 0] },
      label: { show: true, position: 'top', distance: 5, color: color('--ink'), fontFamily: font, fontSize: thin ? 10 : 12, lineHeight: 15,
        // Where bars are thin the comparison stays, and the seconds are on the axis.
        formatter: p => p.value == null ? '' : side.text(mode, workloads[p.dataIndex]).split('\n').slice(thin ? -1 : 0).join('\n') },
      // The text stays above the highest dot.
      data: workloads.map(w => side.value(mode, w) == null ? null : { value: side.value(mode, w), label: { offset: [0, -lift(mode, w)] } })
    }, layout));
    // Dots need the bars' own geometry: band, gap and width are computed as ECharts lays them out.
    series.push({
      type: 'custom', name: 'each', z: 5,
      data: workloads.flatMap((w, wi) => shown.flatMap((m, mi) => side.dots(m, w).map(s => [wi, s, mi]))),
      renderItem: (params, api) => {
        const places = api.barLayout(Object.assign({ count: shown.length }, layout));
        const at = api.coord([api.value(0), api.value(1)]);
        return { type: 'circle', shape: { cx: at[0] + places[api.value(2)].offsetCenter, cy: at[1], r: 3.2 },
          style: { fill: color('--card'), stroke: color('--ink'), lineWidth: 1.2 } };
      }
    });
    const option = Object.assign(base(), {
      grid: { left: narrow ? 30 : 44, right: narrow ? 4 : 12, top: narrow ? 66 : 46, height: narrow ? PLOT_HEIGHT - 20 : PLOT_HEIGHT },
      legend: {
        top: 4, left: 0, itemWidth: 12, itemHeight: 12, itemGap: 18, data: shown.map(label), selectedMode: false,
        textStyle: { color: color('--soft'), fontFamily: font }
      },
      xAxis: Object.assign({ type: 'category', data: workloads }, axis, {
        axisLabel: { color: color('--ink'), fontFamily: font, fontSize: 13 }, splitLine: { show: false } }),
      yAxis: Object.assign({ type: 'value', min: 0, max: top.max, interval: top.step }, axis, { axisLine: { show: false } }),
      series
    });
    option.tooltip.formatter = p => p.seriesType === 'custom'
      ? label(shown[p.value[2]]) + ', ' + side.one + ': ' + fixed(p.value[1], 3) + ' s'
      : p.seriesName + ', ' + p.name + ': ' + fixed(p.value, 3) + ' s';
    return option;
  }

  function mapBars(element) {
    const value = (mode, workload) => median(mode, workload, 'mapSeconds');
    return bars(element, modes.filter(m => m !== 'HPCAlone'), {
      value, one: 'one repetition',
      dots: (mode, workload) => report.repetitions > 1 ? runs(mode, workload).map(r => r.mapSeconds) : [],
      text: (mode, workload) => {
        const naive = value('NaiveBB', workload), own = value(mode, workload);
        return fixed(own, 1) + (naive && mode !== 'NaiveBB' ? '\n' + signed(100 * (own / naive - 1)) : '');
      }
    });
  }

  function phaseBars(element) {
    const value = (mode, workload) => median(mode, workload, 'phaseMean');
    return bars(element, modes, {
      value, one: 'one phase',
      dots: (mode, workload) => counted(mode, workload).map(p => p.seconds),
      text: (mode, workload) => {
        const slower = median(mode, workload, 'slowdownPercent');
        return fixed(value(mode, workload), 2) + (slower == null ? '' : '\n' + signed(slower));
      }
    });
  }

  // The smallest round axis that holds the value in at most five steps.
  function round(value) {
    const power = Math.pow(10, Math.floor(Math.log10(value / 5)));
    const step = [1, 2, 5, 10].map(f => f * power).find(f => value / f <= 5);
    return { step, max: Math.ceil(value / step - 1e-9) * step };
  }

  // Bytes of bins, summed into wider ones that start at zero.
  function wider(bins, step, width) {
    const sums = [];
    bins.forEach((bytes, i) => { const at = Math.floor((i + 0.5) * step / width); sums[at] = (sums[at] || 0) + bytes; });
    return Array.from(sums, bytes => bytes || 0);
  }

  // Both sides of the three systems, one above the other on one time axis, under what the file system can give.
  function sharing(element, workload) {
    const repetition = middle(workload);
    const shown = BOTH.flatMap(m => runs(m, workload).filter(r => r.repetition === repetition));
    const end = Math.ceil(Math.max(1, ...shown.map(shownSeconds)));
    const capacity = report.parameters.pfsBytesPerSecond / MIB;
    const narrow = element.clientWidth < 560;
    const HEIGHT = 132, GAP = 46, TOP = narrow ? 74 : 52, left = 44, right = 14;
    const peak = Math.max(capacity, ...shown.map(r => Math.max(0, ...total(r))));
    element.style.height = TOP + shown.length * (HEIGHT + GAP) - 8 + 'px';
    const option = Object.assign(base(), { grid: [], xAxis: [], yAxis: [], series: [] });
    option.legend = { top: 0, left: 0, itemWidth: 12, itemHeight: 12, itemGap: narrow ? 10 : 18, selectedMode: false, icon: 'rect',
      textStyle: { color: color('--soft'), fontFamily: font } };
    shown.forEach((r, i) => {
      const axis = axisStyle(), last = i === shown.length - 1;
      option.grid.push({ left, right, top: TOP + i * (HEIGHT + GAP), height: HEIGHT });
      option.xAxis.push(Object.assign({ type: 'value', gridIndex: i, min: 0, max: end, interval: interval(end) }, axis, {
        axisLabel: { show: true, color: color('--soft'), fontFamily: font, formatter: v => v >= end && v % interval(end) ? '' : v + (last ? ' s' : '') },
        splitLine: { show: false } }));
      option.yAxis.push(Object.assign({ type: 'value', gridIndex: i, min: 0, max: 1.06 * peak, interval: round(peak).step }, axis, {
        name: '{b|' + r.mode + '}  ' + (narrow ? '' : WORDS[r.mode] + ', ') + (r.mapSeconds == null ? '' : 'map phase ' + fixed(r.mapSeconds, 1) + ' s, ') + 'MiB/s', nameLocation: 'end', nameGap: 10,
        nameTextStyle: { color: color('--soft'), fontFamily: font, align: 'left', padding: [0, 0, 0, -36],
          rich: { b: { color: color('--ink'), fontWeight: 600, fontFamily: font } } },
        axisLine: { show: false },
        axisLabel: { color: color('--soft'), fontFamily: font, formatter: v => v > peak ? '' : '' + Math.round(v) } }));
      const below = [], step = r.timeline.binSeconds;
      const stack = (name, bins, fill) => option.series.push(Object.assign(
        traffic(name, i, wider(bins, step, HALF_SECOND), HALF_SECOND, fill, below), { itemStyle: { color: fill } }));
      Object.keys(CAUSES).filter(c => shown.some(o => o.timeline.ours[c])).forEach(c =>
        stack('ours: ' + cause(c), r.timeline.ours[c] || [], color(CAUSES[c])));
      stack('HPC application', r.timeline.hpc, color('--hpc'));
      option.series.push(bands(r, i, true), { type: 'line', name: 'edges', xAxisIndex: i, yAxisIndex: i, data: [], silent: true, z: 6,
        markLine: { silent: true, symbol: 'none', animation: false, data: [
          { yAxis: capacity, lineStyle: { color: color('--ink'), type: 'dashed', width: 1.2 },
            label: { show: i === 0, position: 'insideEndTop', color: color('--ink'), fontFamily: font, fontSize: 11,
              formatter: 'capacity ' + fixed(capacity, 0) + ' MiB/s' } }
        ].concat(r.timeline.map.map(m => ({ xAxis: m.end, lineStyle: { color: color('--ink'), type: 'dotted', width: 1.4 },
          label: { show: false } }))) } });
    });
    option.legend.data = [...new Set(option.series.filter(x => x.type === 'custom').map(x => x.name))];
    option.tooltip.formatter = p => p.data.text;
    return option;
  }

  // MiB/s of both sides together, in half seconds.
  function total(r) {
    const series = Object.values(r.timeline.ours).concat([r.timeline.hpc]).map(b => wider(b, r.timeline.binSeconds, HALF_SECOND));
    return Array.from({ length: Math.max(0, ...series.map(x => x.length)) },
      (x, i) => series.reduce((sum, one) => sum + (one[i] || 0), 0) / MIB / HALF_SECOND);
  }

  function timeline(element, r, end, peaks) {
    const alone = r.timeline.tasks.length === 0;
    const axis = axisStyle();
    const hosts = [...new Set(r.timeline.tasks.map(t => t.host))].sort();
    const lanes = hosts.map((h, i) => 'worker ' + (i + 1)).concat(r.timeline.closedPermits.length ? ['permits'] : []);
    const rows = [];
    let top = 4;
    const add = (kind, height, before) => { rows.push({ kind, top: top + before, height }); top += before + height; };
    if (!alone) { add('tasks', 21 * lanes.length, 0); add('ours', 92, 28); }
    add('hpc', 62, 28);
    element.style.height = top + 28 + 'px';
    const left = 74, right = 16;
    const time = (i, last) => Object.assign({ type: 'value', gridIndex: i, min: 0, max: end, interval: interval(end) }, axis, {
      axisLabel: { show: last, color: color('--soft'), fontFamily: font, formatter: v => v >= end && v % interval(end) ? '' : v + ' s' },
      splitLine: { show: false }, axisLine: { onZero: true, lineStyle: { color: color('--line') } } });
    const rate = (i, name, peak) => Object.assign({ type: 'value', gridIndex: i, name, min: 0, max: peak, interval: peak / 2 }, axis, {
      nameLocation: 'end', nameGap: 7, axisLine: { show: false },
      nameTextStyle: { color: color('--soft'), fontFamily: font, align: 'left', padding: [0, 0, 0, 8 ] },
      axisLabel: { color: color('--soft'), fontFamily: font, formatter: v => '' + Math.round(v) } });
    const option = Object.assign(base(), { grid: [], xAxis: [], yAxis: [], series: [] });
    const step = r.timeline.binSeconds;
    rows.forEach((row, i) => {
      option.grid.push({ left, right, top: row.top, height: row.height });
      option.xAxis.push(time(i, i === rows.length - 1));
      if (row.kind === 'tasks') {
        option.yAxis.push(Object.assign({ type: 'category', gridIndex: i, inverse: true, data: lanes }, axis, {
          axisLine: { show: false }, splitLine: { show: false } }));
        option.series.push(taskSeries(r, hosts, i), permitSeries(r, lanes, i));
      } else if (row.kind === 'ours') {
        option.yAxis.push(rate(i, 'we read, MiB/s', peaks.ours));
        const below = [];
        Object.keys(CAUSES).filter(c => r.timeline.ours[c]).forEach(c => option.series.push(
          traffic(cause(c), i, r.timeline.ours[c], step, color(CAUSES[c]), below)));
      } else {
        option.yAxis.push(rate(i, 'HPC writes, MiB/s', peaks.hpc));
        option.series.push(traffic('HPC writes', i, r.timeline.hpc, step, color('--hpc'), []));
      }
      option.series.push(bands(r, i, row.kind === 'tasks'));
    });
    option.tooltip.formatter = p => p.data.text;
    return option;
  }

  const cause = c => c.toLowerCase().replace('_', ' ');
  const interval = end => end > 60 ? 10 : end > 24 ? 5 : end > 8 ? 2 : 1;

  // One rectangle per bin that is not empty, put on top of what was drawn before.
  function traffic(name, i, bins, step, fill, below) {
    const data = [];
    bins.forEach((bytes, b) => {
      const from = below[b] || 0, rate = bytes / MIB / step;
      below[b] = from + rate;
      if (rate > 0) {
        data.push({ value: [b * step, (b + 1) * step, from, from + rate],
          text: name + ': ' + fixed(rate, 0) + ' MiB/s at ' + fixed(b * step, 1) + ' s' });
      }
    });
    return { type: 'custom', name, xAxisIndex: i, yAxisIndex: i, z: 3, encode: { x: [0, 1], y: [2, 3] }, data, clip: true,
      renderItem: (params, api) => {
        const low = api.coord([api.value(0), api.value(2)]), high = api.coord([api.value(1), api.value(3)]);
        return { type: 'rect', style: { fill },
          shape: { x: low[0], y: high[1], width: Math.max(0.8, high[0] - low[0] + 0.25), height: low[1] - high[1] } };
      } };
  }

  function box(api, params, start, end, lane, inset, style) {
    const from = api.coord([start, lane]), to = api.coord([end, lane]);
    const height = api.size([0, 1])[1] * (1 - inset);
    const rect = echarts.graphic.clipRectByRect(
      { x: from[0], y: from[1] - height / 2, width: Math.max(1.5, to[0] - from[0] - 1), height },
      { x: params.coordSys.x, y: params.coordSys.y, width: params.coordSys.width, height: params.coordSys.height });
    return rect && { type: 'rect', shape: Object.assign(rect, { r: 2 }), style };
  }

  function taskSeries(r, hosts, i) {
    return { type: 'custom', name: 'tasks', xAxisIndex: i, yAxisIndex: i, z: 3, encode: { x: [0, 1], y: 2 },
      data: r.timeline.tasks.map(t => ({ value: [t.start, t.end, hosts.indexOf(t.host), t.wave],
        text: 'wave ' + (t.wave + 1) + ', worker ' + (hosts.indexOf(t.host) + 1) + ': ' + fixed(t.end - t.start, 2) + ' s' })),
      renderItem: (params, api) => box(api, params, api.value(0), api.value(1), api.value(2), 0.26,
        { fill: color(api.value(3) % 2 ? '--task-b' : '--task-a') }) };
  }

  function permitSeries(r, lanes, i) {
    return { type: 'custom', name: 'permits', xAxisIndex: i, yAxisIndex: i, z: 3, encode: { x: [0, 1], y: 2 },
      data: r.timeline.closedPermits.map(s => ({ value: [s.start, s.end, lanes.length - 1],
        text: 'prefetch permit closed for ' + fixed(s.end - s.start, 2) + ' s' })),
      renderItem: (params, api) => box(api, params, api.value(0), api.value(1), api.value(2), 0.36, {
        fill: 'transparent', stroke: color('--missed'), lineWidth: 1,
        decal: { symbol: 'rect', color: color('--missed'), dashArrayX: [1, 0], dashArrayY: [2, 4], rotation: -Math.PI / 4 } }) };
  }

  function bands(r, i, labelled) {
    return { type: 'line', xAxisIndex: i, yAxisIndex: i, data: [], silent: true, z: 1,
      markArea: { silent: true, itemStyle: { color: color('--band') },
        data: r.phases.map(p => [{ xAxis: p.startSeconds }, { xAxis: p.startSeconds + p.seconds }]) },
      markLine: labelled || !r.timeline.map.length ? undefined : { silent: true, symbol: 'none', animation: false,
        lineStyle: { color: color('--soft'), type: 'dashed', width: 1 }, label: { show: false },
        data: r.timeline.map.flatMap(m => [{ xAxis: m.start }, { xAxis: m.end }]) } };
  }

  // An even number, so that the axis can have a middle.
  function ceiling(values) { return Math.max(2, 2 * Math.ceil(Math.max(...values) / 10) * 5); }

  function stacked(r) {
    const series = Object.values(r.timeline.ours);
    return series.length ? series[0].map((x, i) => series.reduce((sum, s) => sum + (s[i] || 0), 0)) : [];
  }

  // Everything that is drawn: where, of what, and its numbers for a spreadsheet.
  function figures() {
    const all = [{ id: 'map-bars', option: mapBars, rows: mapRows }, { id: 'phase-bars', option: phaseBars, rows: phaseRows }];
    workloads.forEach((w, wi) => {
      all.push({ id: 'traffic-' + wi, option: element => sharing(element, w), rows: () => trafficRows(w) });
      const drawn = report.runs.filter(r => r.workload === w && r.repetition === middle(w));
      const end = Math.max(...drawn.map(shownSeconds));
      const rate = bytes => bytes / MIB / drawn[0].timeline.binSeconds;
      const peaks = { ours: ceiling(drawn.flatMap(r => stacked(r).map(rate))), hpc: ceiling(drawn.flatMap(r => r.timeline.hpc.map(rate))) };
      drawn.forEach(r => all.push({ id: 'timeline-' + wi + '-' + r.mode,
        option: element => timeline(element, r, Math.ceil(end), peaks), rows: () => runRows(r) }));
    });
    return all;
  }

  const mapRows = () => [['workload', 'system', 'repetition', 'map_s', 'total_s']].concat(
    report.runs.filter(r => r.mapSeconds != null).map(r => [r.workload, r.mode, r.repetition, r.mapSeconds, r.totalSeconds]));

  const phaseRows = () => [['workload', 'system', 'repetition', 'start_s', 'seconds', 'alone_s', 'in_map_phase', 'our_bytes']].concat(
    report.runs.flatMap(r => r.phases.map(p =>
      [r.workload, r.mode, r.repetition, p.startSeconds, p.seconds, p.aloneSeconds, p.duringMap, p.ourBytes])));

  const trafficRows = workload => [['workload', 'system', 'repetition', 'from_s', 'to_s', 'whose', 'bytes']].concat(
    report.runs.filter(r => r.workload === workload).flatMap(r =>
      trafficOf(r).map(t => [r.workload, r.mode, r.repetition].concat(t))));

  const runRows = r => [['from_s', 'to_s', 'what', 'value']].concat(
    r.timeline.tasks.map(t => [t.start, t.end, 'task on ' + t.host, 'wave ' + (t.wave + 1)]),
    r.phases.map(p => [p.startSeconds, p.startSeconds + p.seconds, 'HPC phase', p.seconds]),
    r.timeline.closedPermits.map(c => [c.start, c.end, 'permit closed', c.end - c.start]),
    trafficOf(r).map(t => [t[0], t[1], t[2] + ' bytes', t[3]]));

  function trafficOf(r) {
    const step = r.timeline.binSeconds, at = i => +(i * step).toFixed(3);
    return Object.entries(r.timeline.ours).concat([['HPC', r.timeline.hpc]]).flatMap(([whose, bins]) =>
      bins.map((bytes, i) => [at(i), at(i + 1), whose, bytes]).filter(t => t[3] > 0));
  }

  const csv = rows => rows.map(r => r.map(v => /[",\n]/.test(v) ? '"' + String(v).replace(/"/g, '""') + '"' : v).join(',')).join('\n') + '\n';

  function draw() {
    charts.splice(0).forEach(c => c.dispose());
    figures().forEach(f => {
      const element = document.getElementById(f.id);
      const drawn = f.option(element);
      const chart = echarts.init(element, null, { renderer: 'svg' });
      chart.setOption(drawn);
      charts.push(chart);
    });
    document.body.dataset.drawn = String(charts.length);
  }

  // On white, whatever the screen is: pictures and prints are for papers.
  function onPaper(kind, work) {
    const root = document.documentElement.classList;
    root.add('paper', kind);
    try { return work(); } finally { root.remove('paper', kind); }
  }

  function picture(f, renderer, take) {
    const shown = document.getElementById(f.id);
    const element = document.createElement('div');
    element.style.cssText = 'position:absolute;left:-9999px;top:0;width:' + shown.clientWidth + 'px;height:' + shown.clientHeight + 'px';
    document.body.append(element);
    try {
      return onPaper('picture', () => {
        const option = f.option(element);
        const chart = echarts.init(element, null, { renderer });
        chart.setOption(Object.assign({ backgroundColor: '#fff' }, option));
        try { return take(chart); } finally { chart.dispose(); }
      });
    } finally { element.remove(); }
  }

  function save(name, href) {
    const link = document.createElement('a');
    link.download = 'eley-' + name;
    link.href = href;
    link.click();
    if (href.startsWith('blob:')) setTimeout(() => URL.revokeObjectURL(href), 60000);
  }

  const blob = (text, type) => URL.createObjectURL(new Blob([text], { type }));
  const KINDS = {
    SVG: (f, name) => save(name + '.svg', blob(picture(f, 'svg', c => c.renderToSVGString()), 'image/svg+xml')),
    PNG: (f, name) => save(name + '.png', picture(f, 'canvas', c => c.getDataURL({ type: 'png', pixelRatio: 2, backgroundColor: '#fff' }))),
    CSV: (f, name) => save(name + '.csv', blob(csv(f.rows()), 'text/csv'))
  };

  function buttons() {
    figures().forEach(f => {
      const chart = document.getElementById(f.id), line = document.createElement('p');
      line.className = 'save';
      Object.keys(KINDS).forEach(kind => {
        const button = document.createElement('button');
        button.type = 'button';
        button.textContent = kind;
        button.title = 'Save this figure as ' + kind;
        button.addEventListener('click', () => KINDS[kind](f, chart.dataset.name));
        line.append(button);
      });
      chart.closest('figure').prepend(line);
    });
  }

  // The map phase and a little of what follows: the rest of a run shows neither side anything new.
  function shownSeconds(r) {
    return r.timeline.map.length ? Math.min(r.timeline.seconds, r.timeline.map[0].end + 2) : 0;
  }

  // Positions follow the width, so another width is another drawing.
  let width = document.body.clientWidth, soon = 0;
  function resized() {
    if (document.body.clientWidth !== width) {
      width = document.body.clientWidth;
      clearTimeout(soon);
      soon = setTimeout(draw, 100);
    }
  }

  buttons();
  draw();
  window.addEventListener('resize', resized);
  window.addEventListener('beforeprint', () => { document.documentElement.classList.add('paper', 'print'); draw(); });
  window.addEventListener('afterprint', () => { document.documentElement.classList.remove('paper', 'print'); draw(); });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
})();
